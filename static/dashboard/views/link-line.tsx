import type { LinkState } from "../live/link.ts";
import { Notice } from "../parts/notice.tsx";
import { timeOf } from "../text/format.ts";

const SAYS: Readonly<Record<LinkState["kind"], string>> = {
  connecting: "Connecting",
  live: "Live",
  stale: "Silent",
  lost: "Offline",
  gone: "Gone",
  forbidden: "Not allowed",
};

/** Beside the room's name: is what is shown true this second? */
export const LinkBadge = ({ link }: { readonly link: LinkState }) => (
  <span class={`link link-${link.kind}`}>
    <span class="dot" aria-hidden="true" />
    {SAYS[link.kind]}
  </span>
);

export const LinkNotice = ({ link }: { readonly link: LinkState }) => {
  switch (link.kind) {
    case "connecting":
    case "live":
      return null;
    case "stale":
      return (
        <Notice kind="warns">
          Nothing was heard since {timeOf(link.sinceAt)}: what is shown is as of then.
        </Notice>
      );
    case "lost":
      return (
        <Notice kind="warns">
          The connection is lost since {timeOf(link.sinceAt)}, and is tried again by itself. What is
          shown is as of then; the room goes on without this page.
        </Notice>
      );
    case "gone":
      return (
        <Notice kind="failed">
          This room is gone: somebody deleted it. For a day it can be restored, by npm run rooms or
          the API. <a href="#/rooms">Back to the rooms</a>
        </Notice>
      );
    case "forbidden":
      return <Notice kind="failed">Your token is not for this room.</Notice>;
    default:
      return link satisfies never;
  }
};
