import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  /** Below the input; always there, so that nothing jumps. */
  readonly hint?: string;
  readonly problem?: string | null;
}

interface InputProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

const Field = ({
  label,
  hint,
  problem,
  id,
  children,
}: FieldProps & { readonly id: string; readonly children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {problem != null && (
      <p class="problem" id={`${id}-problem`}>
        {problem}
      </p>
    )}
  </div>
);

const about = (id: string, { hint, problem }: FieldProps) => ({
  "aria-describedby":
    [hint === undefined ? "" : `${id}-hint`, problem == null ? "" : `${id}-problem`]
      .filter((part) => part !== "")
      .join(" ") || undefined,
  "aria-invalid": problem != null,
});

interface TextFieldProps extends InputProps {
  readonly isCode?: boolean;
  readonly maxLength?: number;
  readonly kind?: "text" | "search" | "datetime-local";
  readonly isRequired?: boolean;
}

export const TextField = (props: TextFieldProps) => {
  const id = useId();
  const { value, onInput, isCode = false, kind = "text", maxLength, isRequired = false } = props;
  return (
    <Field {...props} id={id}>
      <input
        id={id}
        // One of several, each of which its types know with other attributes.
        type={kind as "text"}
        class={isCode ? "code" : ""}
        value={value}
        autocomplete="off"
        spellcheck={false}
        required={isRequired}
        {...(maxLength === undefined ? {} : { maxLength })}
        {...about(id, props)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
};

interface NumberFieldProps extends InputProps {
  readonly least: number;
  readonly most?: number;
  /** An empty input means something, and the hint says what. */
  readonly mayBeEmpty?: boolean;
}

export const NumberField = (props: NumberFieldProps) => {
  const id = useId();
  const { value, onInput, least, most, mayBeEmpty = false } = props;
  return (
    <Field {...props} id={id}>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        value={value}
        min={least}
        max={most}
        step={1}
        required={!mayBeEmpty}
        {...about(id, props)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
};

export const AreaField = (props: InputProps & { readonly maxLength: number }) => {
  const id = useId();
  return (
    <Field {...props} id={id}>
      <textarea
        id={id}
        rows={3}
        maxLength={props.maxLength}
        value={props.value}
        {...about(id, props)}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </Field>
  );
};

interface ChoiceFieldProps extends InputProps {
  readonly options: readonly (readonly [value: string, label: string])[];
}

export const ChoiceField = (props: ChoiceFieldProps) => {
  const id = useId();
  return (
    <Field {...props} id={id}>
      <select
        id={id}
        value={props.value}
        {...about(id, props)}
        onChange={(event) => props.onInput(event.currentTarget.value)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
};

interface TickFieldProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export const TickField = ({ label, isOn, onChange }: TickFieldProps) => (
  <label class="tick">
    <input
      type="checkbox"
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
);
