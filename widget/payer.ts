/** Who pays: three fields that the gateway requires. [spec: Standard checkout request] */

export const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn'] as const
export type PayerField = (typeof PAYER_FIELDS)[number]
export type Payer = Record<PayerField, string>

/** The payer as the page's attributes and the shopper's input describe it. Input takes precedence. */
export class PayerDetails {
  readonly #given: () => Payer
  #typed: Partial<Payer> = {}

  /** @param given What the attributes say now; empty text for a missing one. */
  constructor(given: () => Payer) {
    this.#given = given
  }

  get payer(): Payer {
    return { ...this.#given(), ...this.#typed }
  }

  get isComplete(): boolean {
    const { payer } = this
    return PAYER_FIELDS.every((field) => payer[field])
  }

  /** The fields of the form: those without an attribute, with a problem, or typed before. */
  missing(problems: readonly PayerField[]): PayerField[] {
    const given = this.#given()
    return PAYER_FIELDS.filter((field) => !given[field] || field in this.#typed || problems.includes(field))
  }

  type(typed: Partial<Payer>) {
    this.#typed = { ...this.#typed, ...typed }
  }

  forget() {
    this.#typed = {}
  }
}
