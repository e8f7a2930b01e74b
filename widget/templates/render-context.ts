/** Defines the data and the functions that the templates receive. */

import type { Words } from '../locales/en.ts'
import type { Payer, PayerField } from '../payer.ts'
import type { Session } from '../session/state.ts'

export interface RenderContext {
  session: Session
  words: Words
  onLine: boolean
  /** The BFF's time, in milliseconds since the Unix epoch. */
  now: number
  /** The `label` attribute; empty text if the attribute is missing. */
  label: string
  disabled: boolean
  /** Returns the fields that the form shows. */
  fields: () => readonly PayerField[]
  /** Returns the payer's details from the attributes and the form; empty text for a missing field. */
  payer: () => Payer
  start: () => void
  /**
   * Submits the form.
   *
   * @param typed The values of the form's fields.
   * @param invalid The fields that the browser found invalid.
   */
  submit: (typed: Partial<Payer>, invalid: readonly PayerField[]) => void
  cancel: () => void
}
