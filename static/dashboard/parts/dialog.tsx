import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  /** Escape, or a button of the dialog's own. Without it the dialog stays until what it asks is done. */
  readonly onClose: (() => void) | null;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}

/** Over everything else, with the focus inside; where it goes, the focus returns to where it was. */
export const Dialog = ({ title, onClose, children, isWide = false }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? "wide" : ""}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
};
