/** The data that the templates render, and the actions that they offer. */

import type { Words } from '../locales/en.ts'
import type { Payer, PayerField } from '../payer.ts'
import type { Session } from '../session/state.ts'

export interface RenderContext {
  session: Session
  words: Words
  onLine: boolean
  /** The server's time, in milliseconds since the Unix epoch. */
  now: number
  /** The `label` attribute; empty text if it is missing. */
  label: string
  disabled: boolean
  /** The fields that the form asks for. */
  fields: () => readonly PayerField[]
  /** The payer's details from attributes and input; empty text for a missing field. */
  payer: () => Payer
  start: () => void
  /** @param invalid Fields that the browser finds invalid. */
  submit: (typed: Partial<Payer>, invalid: readonly PayerField[]) => void
  cancel: () => void
}
