/** Defines the data and the functions that the templates receive. */

import type { Words } from '../locales/en.ts'
import type { Payer, PayerField } from '../payer.ts'
import type { Entry } from '../entry.ts'
import type { Session } from '../session/state.ts'

export interface RenderContext {
  session: Session
  words: Words
  /** What the developers of the page should know of an error; empty text for shoppers. */
  hint: string
  window: Window
  /** The BFF's time, in milliseconds since the Unix epoch. */
  now: number
  /** The `amount` attribute; empty text if the attribute is missing. */
  amount: string
  /** The `payee` attribute; empty text if the attribute is missing. */
  payee: string
  disabled: boolean
  /** What the shopper has typed and chosen. */
  entry: Entry
  /**
   * Submits the form. Browsers allow a pop-up while the shopper submits the form.
   *
   * @param typed The values of the form's fields.
   * @param invalid The fields that the browser found invalid.
   */
  submit: (typed: Partial<Payer>, invalid: readonly PayerField[]) => void
  cancel: () => void
  /** Brings an open pop-up to the front, or else opens the hosted page again. */
  reopen: () => void
  /** Updates the element after a change that only the browser knows. */
  redraw: () => void
  /** Starts a checkout on the hosted page after a prompt has ended; `null` if the page is not offered. */
  payOnPage: (() => void) | null
}
