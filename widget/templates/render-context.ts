/** What the templates draw from, and the actions that they offer. */

import type { Words } from '../locales/en.ts'
import type { Payer, PayerField } from '../payer.ts'
import type { Session } from '../session/state.ts'

export interface RenderContext {
  session: Session
  words: Words
  isOnline: boolean
  /** The server's time, in milliseconds since the Unix epoch. */
  serverNowMs: number
  /** The `label` attribute, or empty. */
  label: string
  isDisabled: boolean
  /** The fields that the form asks for. */
  missing: () => readonly PayerField[]
  /** What is known of the payer. */
  payer: () => Payer
  press: () => void
  /** @param invalid Fields that the browser finds invalid. */
  submit: (typed: Partial<Payer>, invalid: readonly PayerField[]) => void
  cancel: () => void
}
