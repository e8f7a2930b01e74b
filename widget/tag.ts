/** What a tag says at one moment, with what it leaves out filled in. */

export interface Tag {
  order: string
  /** Address of the BFF without a slash at its end, or `null` when the tag names none. */
  base: string | null
  /** `auto`, `redirect` or `popup`. */
  launch: string
  form: () => Form
  /** What an empty pop-up says. */
  openingText: () => string
}

/** What the BFF is told of a new checkout, beside the payer and the launch. */
export type Form = Record<'order' | 'country' | 'return_url' | 'lang', string>
