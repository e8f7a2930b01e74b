/** Asks for what the page did not say about the payer. */

import { html } from 'lit'
import { PAYER_FIELDS } from '../payer.ts'

import type { Words } from '../locale.ts'
import type { Payer, PayerField } from '../payer.ts'

export interface DetailsContext {
  /** What to ask for. */
  fields: readonly PayerField[]
  problems: readonly PayerField[]
  draft: Payer
  words: Words
  /** Whether national phone numbers can be completed. */
  hasCountry: boolean
  /** Takes what was typed, and the fields that the browser finds wrong. */
  submit: (typed: Partial<Payer>, wrong: readonly PayerField[]) => void
  cancel: () => void
}

/** What browsers call each field, how they ask for it, and what they take for right. [spec: Limits] */
const KINDS = {
  payer_name: ['name', 'text', 100, '.*\\S.*'],
  payer_email: ['email', 'email', 100, '.*'],
  payer_msisdn: ['tel', 'tel', 25, '[+]?[\\d\\s\\(\\)\\.\\-]{7,}'],
} as const satisfies Record<PayerField, readonly [string, string, number, string]>

/** Browsers judge what was typed; what is wrong is said in our words, which are in the shopper's language. */
export function detailsForm(context: DetailsContext) {
  const { fields, words, submit, cancel } = context
  const onSubmit = (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const inputs = [...form.querySelectorAll('input')]
    const wrong = PAYER_FIELDS.filter((field) =>
      inputs.some((input) => input.name === field && !input.validity.valid),
    )
    submit(Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()])), wrong)
  }
  return html`<form part="form" novalidate aria-labelledby="title" @submit=${onSubmit}>
    <strong id="title">${words.payer}</strong>
    ${fields.map((field) => input(field, context))}
    <button part="button" class="primary">${words.next}</button>
    <button type="button" @click=${cancel}>${words.cancel}</button>
  </form>`
}

function input(field: PayerField, { problems, draft, words, hasCountry }: DetailsContext) {
  const isWrong = problems.includes(field)
  const [autocomplete, type, longest, pattern] = KINDS[field]
  const hint = type === 'tel' && !hasCountry ? words.hint : ''
  return html`<div part="field">
    <label for=${field}>${words[field]}</label>
    <input
      part="input"
      id=${field}
      name=${field}
      type=${type}
      autocomplete=${autocomplete}
      maxlength=${longest}
      pattern=${pattern}
      required
      .value=${draft[field]}
      aria-invalid=${isWrong}
      aria-describedby="${field}-hint"
    />
    <p class="soft" id="${field}-hint">${isWrong ? words.problem[field] : hint}</p>
  </div>`
}
