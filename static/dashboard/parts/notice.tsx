import type { ComponentChildren } from "preact";
import { sayFailure, type ApiFailure } from "../client/answer.ts";

interface NoticeProps {
  readonly kind: "told" | "warns" | "failed";
  readonly children: ComponentChildren;
}

const SIGNS = { told: "i", warns: "!", failed: "×" } as const;

export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`}>
    <span class="sign" aria-hidden="true">
      {SIGNS[kind]}
    </span>
    <div>{children}</div>
  </div>
);

export const FailureNotice = ({ failure }: { readonly failure: ApiFailure | null }) =>
  failure === null ? null : <Notice kind="failed">{sayFailure(failure)}</Notice>;
