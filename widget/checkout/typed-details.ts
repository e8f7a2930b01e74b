/**
 * Keeps what the shopper has typed and chosen, and computes what a checkout still needs. What was typed lies in the
 * tab's session storage until the order is paid, so that nothing has to be typed again after a session has ended: the
 * hosted page may have replaced this page meanwhile. [assumed] It is kept for one order. [WCAG 2.2: 3.3.7]
 */

import { givenPayer } from '../button/checkout-settings.ts'
import { useTabStorage } from '../button/tab-memory.ts'
import { isComplete, PAYER_FIELDS } from '../state/payer.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { ElementHost } from '../button/element-host.ts'
import type { Payer, PayerField } from '../state/payer.ts'

export class TypedDetails {
  /** Payer details that the shopper typed, which take precedence over the attributes. */
  typed: Partial<Payer> = {}
  /** The operator that the shopper chose; empty text if the shopper has not chosen. */
  operator = ''
  /** Whether the shopper changes the number or the operator that was asked. */
  isChanging = false
  /** Whether the last press asked the payer on the phone, instead of opening the hosted page. */
  asksPhone = false

  readonly #host: ElementHost

  constructor(host: ElementHost) {
    this.#host = host
    this.recall()
  }

  /** Reads what the shopper typed for the order before the page was loaded again. */
  recall(): void {
    // `null` also if another script wrote the text.
    const stored: unknown = this.#useTabStorage((tab, key) => JSON.parse(tab.getItem(key) ?? '{}'))
    const entries = PAYER_FIELDS.map((field) => [field, Reflect.get(Object(stored), field)])
    const texts = Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
    this.typed = { ...texts, ...this.typed }
  }

  /**
   * Takes over what the shopper has typed into the form with which the page pays without the element's script. Returns
   * whether there is anything.
   */
  takeOver(): boolean {
    const { element } = this.#host
    const inputs = [...element.querySelectorAll<HTMLInputElement>('form [name^=payer_]')]
    const filled = inputs.filter(({ value }) => value)
    if (filled.every(({ value, defaultValue }) => value === defaultValue)) {
      return false
    }

    this.keep(Object.fromEntries(filled.map(({ name, value }) => [name, value])))
    this.asksPhone = element.method === 'prompt'
    return true
  }

  /** Keeps what the shopper typed, also for the page that is loaded next in this tab. */
  keep(typed: Partial<Payer>): void {
    Object.assign(this.typed, typed)
    this.#useTabStorage((tab, key) => tab.setItem(key, JSON.stringify(this.typed)))
  }

  forget(): void {
    this.typed = {}
    this.operator = ''
    this.forgetStored()
  }

  forgetStored(): void {
    this.#useTabStorage((tab, key) => tab.removeItem(key))
  }

  /** Returns the payer's details from the attributes and the form, as they are sent; empty text for a missing one. */
  payer(): Payer {
    const payer = { ...givenPayer(this.#host.element), ...this.typed }
    return { ...payer, payer_msisdn: payer.payer_msisdn.trim() }
  }

  /**
   * Returns the fields that the form shows: needed fields whose attribute is missing, fields that the shopper has
   * filled in, and invalid fields; for a prompt, the phone number whenever it is too short to be asked.
   */
  shownFields(problems: readonly PayerField[]): PayerField[] {
    const given = givenPayer(this.#host.element)
    const isMissing = (field: PayerField) =>
      this.asksPhone ? field === 'payer_msisdn' && !isComplete(given, true) : !given[field]
    return PAYER_FIELDS.filter((field) => isMissing(field) || field in this.typed || problems.includes(field))
  }

  /**
   * Returns the operator that asks the payer on the phone: the chosen one, or else that of the last prompt. Returns
   * empty text if the BFF chooses, and `null` if the shopper pays on the hosted page.
   */
  operatorAfter(view: CheckoutView | null): string | null {
    return this.asksPhone ? this.operator || (view?.prompt?.method ?? '') : null
  }

  // What is kept stands first: the rest of the key is any text, an order among it.
  #useTabStorage<Result>(use: (storage: Storage, key: string) => Result): Result | null {
    return useTabStorage(this.#host, (tab, key) => use(tab, `typed ${key}`))
  }
}
