// Every form has the browser's CSRF token and an id of its own, by which a second submission is recognized.

import type { Child } from 'hono/jsx'

/** By the name of the field: what is wrong with it, as a sentence. */
export type Problems = Readonly<Record<string, string>>

export interface FormState {
  readonly name: string
  /** The address that the form is sent to. */
  readonly action: string
  readonly csrf: string
  readonly id: string
  /** What was typed, if the form was refused. */
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Problems
}

interface FormProps {
  of: FormState
  /** The text of the button. */
  submit: string
  /** `danger` for what cannot be undone, `quiet` beside a louder button and in rows of a table. */
  button?: 'loud' | 'quiet' | 'danger'
  /** Fields that are not shown, such as the id of a row. */
  hidden?: Readonly<Record<string, string>>
  /** Says what the button is for, where several rows have the same button: "Revoke key-1". */
  describes?: string
  children?: Child
}

export function Form({ of: form, submit, button = 'loud', hidden = {}, describes, children }: FormProps) {
  return (
    <form method="post" action={form.action} class={children === undefined ? 'inline' : 'fields'}>
      <input type="hidden" name="csrf" value={form.csrf} />
      <input type="hidden" name="form" value={form.id} />
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
      <button class={`button ${button}`} type="submit" aria-label={describes}>
        {submit}
      </button>
    </form>
  )
}

interface FieldProps {
  of: FormState
  name: string
  label: string
  hint?: string
  /** The value of the field, unless the form was refused with another. */
  value?: string
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'password' | 'url' | 'search'
  autocomplete?: string
  inputmode?: 'decimal' | 'numeric' | 'tel'
  optional?: boolean
}

export function TextField({ type = 'text', optional = false, ...field }: TextFieldProps) {
  const { of: form, name, value = '', autocomplete = 'off', inputmode } = field
  // A password is never sent back.
  const shown = type === 'password' ? '' : (form.typed[name] ?? value)
  return (
    <Field {...field}>
      <input
        {...attributesOf(field)}
        type={type}
        value={shown}
        autocomplete={autocomplete}
        inputmode={inputmode}
        required={!optional}
        spellcheck={false}
      />
    </Field>
  )
}

export function TextArea({ rows = 4, ...field }: FieldProps & { rows?: number }) {
  const { of: form, name, value = '' } = field
  return (
    <Field {...field}>
      <textarea {...attributesOf(field)} rows={rows} spellcheck={false}>
        {form.typed[name] ?? value}
      </textarea>
    </Field>
  )
}

interface ChoiceProps extends FieldProps {
  /** By value: the text of the choice. */
  choices: Readonly<Record<string, string>>
}

export function Choice({ choices, ...field }: ChoiceProps) {
  const { of: form, name, value = '' } = field
  const chosen = form.typed[name] ?? value
  return (
    <Field {...field}>
      <select {...attributesOf(field)}>
        {Object.entries(choices).map(([code, text]) => (
          <option value={code} selected={code === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** A box to tick. Its value is `on` if it is ticked, and the empty text otherwise. */
export function Tick({ of: form, name, label, hint, value = '' }: FieldProps) {
  const isTicked = (form.typed[name] ?? value) === 'on'
  const field = { of: form, name, label, ...(hint !== undefined && { hint }) }
  return (
    <div class="field">
      <label class="tick">
        <input {...attributesOf(field)} type="checkbox" value="on" checked={isTicked} />
        <span>{label}</span>
      </label>
      <Remarks {...field} />
    </div>
  )
}

function Field({ children, ...field }: FieldProps & { children: Child }) {
  return (
    <div class="field">
      <label for={idOf(field)}>{field.label}</label>
      {children}
      <Remarks {...field} />
    </div>
  )
}

function Remarks(field: FieldProps) {
  const { of: form, name, hint } = field
  const problem = form.problems[name]
  return (
    <>
      {problem === undefined ? null : (
        <span class="error" id={`${idOf(field)}-error`}>
          {problem}
        </span>
      )}
      {hint === undefined ? null : <small id={`${idOf(field)}-hint`}>{hint}</small>}
    </>
  )
}

function attributesOf(field: FieldProps) {
  const { of: form, name, hint } = field
  const id = idOf(field)
  const isWrong = form.problems[name] !== undefined
  const remarks = [isWrong ? `${id}-error` : '', hint === undefined ? '' : `${id}-hint`].join(' ').trim()
  return {
    id,
    name,
    'aria-describedby': remarks === '' ? undefined : remarks,
    'aria-invalid': isWrong ? 'true' : undefined,
    autofocus: isWrong && Object.keys(form.problems)[0] === name,
  } as const
}

function idOf({ of: form, name }: FieldProps): string {
  return `${form.name}-${name}`
}
