/** Keeps what the shopper has typed and chosen, and computes what a checkout still needs. */

import { isComplete } from './checkout-settings.ts'
import { PAYER_FIELDS } from './payer.ts'
import { readTyped, storeTyped } from './typed-details.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Payer, PayerField } from './payer.ts'
import type { OrderKey } from './typed-details.ts'

export class Entry {
  /** Payer details that the shopper typed, which take precedence over the attributes. */
  typed: Partial<Payer> = {}
  /** The operator that the shopper chose; empty text if the shopper has not chosen. */
  operator = ''
  /** Whether the last press asked the payer on the phone, instead of opening the hosted page. */
  asksPhone = false

  readonly #window: Window
  readonly #order: () => OrderKey

  constructor(window: Window, order: () => OrderKey) {
    this.#window = window
    this.#order = order
  }

  /** Reads what the shopper typed for the order before the page was loaded again. */
  recall(): void {
    this.typed = { ...readTyped(this.#window, this.#order()), ...this.typed }
  }

  /** Keeps what the shopper typed, also for the page that is loaded next in this tab. */
  keep(typed: Partial<Payer>): void {
    Object.assign(this.typed, typed)
    storeTyped(this.#window, this.#order(), this.typed)
  }

  forget(): void {
    this.typed = {}
    this.operator = ''
    this.forgetStored()
  }

  forgetStored(): void {
    storeTyped(this.#window, this.#order(), null)
  }

  /**
   * @param given The values of the element's attributes; empty text for a missing attribute.
   */
  payer(given: Payer): Payer {
    return { ...given, ...this.typed }
  }

  /** Whether a checkout can start without the form. */
  isComplete(given: Payer): boolean {
    return isComplete(this.payer(given), this.asksPhone)
  }

  /**
   * Returns the fields that the form shows: needed fields whose attribute is missing, fields that the shopper has
   * filled in, and invalid fields.
   */
  shownFields(given: Payer, problems: readonly PayerField[]): PayerField[] {
    const isMissing = (field: PayerField) => !given[field] && (!this.asksPhone || field === 'payer_msisdn')
    return PAYER_FIELDS.filter((field) => isMissing(field) || field in this.typed || problems.includes(field))
  }

  /**
   * Returns the operator that asks the payer on the phone: the chosen one, or else that of the last prompt. Returns
   * empty text if the BFF chooses, and `undefined` if the shopper pays on the hosted page.
   */
  operatorAfter(view: CheckoutView | null): string | undefined {
    return this.asksPhone ? this.operator || (view?.prompt?.method ?? '') : undefined
  }
}
