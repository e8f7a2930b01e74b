/** All that is drawn from, at one moment, and what the shopper can do with it. */

import type { Words } from '../locales/en.ts'
import type { Payer, PayerField } from '../payer.ts'
import type { Session } from '../session/state.ts'

export interface Scene {
  session: Session
  words: Words
  isOnline: boolean
  /** The server's time now, in milliseconds since the Unix epoch, as well as this device can tell. */
  serverNowMs: number
  /** The merchant's word on the button, or empty. */
  label: string
  isDisabled: boolean
  /** What is asked of the payer, and what is known already. */
  missing: () => readonly PayerField[]
  payer: () => Payer
  press: () => void
  /** Takes what was typed, and the fields that the browser finds wrong. */
  submit: (typed: Partial<Payer>, wrong: readonly PayerField[]) => void
  cancel: () => void
}
