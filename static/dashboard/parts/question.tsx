import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";

/** What is asked before something is done that can hurt. */
export interface Question {
  readonly title: string;
  /** What will happen, and what will not. */
  readonly says: readonly string[];
  readonly more?: ComponentChildren;
  /** On the button that does it. */
  readonly action: string;
  /** Has to be typed first: for what can't be undone. */
  readonly typed?: string | null;
}

interface QuestionDialogProps {
  readonly question: Question;
  readonly onAnswer: (isYes: boolean) => void;
}

export const QuestionDialog = ({ question, onAnswer }: QuestionDialogProps) => {
  const { title, says, more, action, typed = null } = question;
  const [given, setGiven] = useState("");
  const isReady = typed === null || given.trim() === typed;
  return (
    <Dialog title={title} onClose={() => onAnswer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onAnswer(true);
        }}
      >
        {says.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {more}
        {typed !== null && (
          <TextField
            label={`Type ${typed} to go on`}
            value={given}
            onInput={setGiven}
            isCode={true}
          />
        )}
        <p class="actions">
          <button type="button" autofocus={typed === null} onClick={() => onAnswer(false)}>
            Leave it
          </button>
          <button type="submit" class={typed === null ? "main" : "main grave"} disabled={!isReady}>
            {action}
          </button>
        </p>
      </form>
    </Dialog>
  );
};
