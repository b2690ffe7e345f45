import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  /** What it is for, and how it is used. */
  readonly says: string;
  readonly onClose: () => void;
}

/** A secret that nobody is shown again. It goes with the dialog; Escape does not close it. */
export const ShownOnce = ({ title, secret, says, onClose }: ShownOnceProps) => {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <Dialog title={title} onClose={null}>
      <p>{says}</p>
      <p class="secret code" data-secret>
        {secret}
      </p>
      <p class="hint">It is shown this once. Keep it before you go on.</p>
      <p role="status" class="hint">
        {isCopied === true && "Copied."}
        {isCopied === false && "This browser does not let the page copy: select the text by hand."}
      </p>
      <p class="actions">
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" class="main" onClick={onClose}>
          I have kept it
        </button>
      </p>
    </Dialog>
  );
};
