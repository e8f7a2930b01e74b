/** Asks for what the page did not say about the payer. */

import { html } from 'lit/html.js'

import type { TemplateResult } from 'lit/html.js'
import type { Words } from '../locale.ts'
import type { PayerField } from '../payer.ts'
import type { Details } from '../session/state.ts'

export interface DetailsContext {
  details: Details
  /** What to ask for. */
  fields: readonly PayerField[]
  words: Words
  submit: (typed: Partial<Record<PayerField, string>>) => void
  cancel: () => void
}

/** What browsers call each field, and how they ask for it. */
const KINDS = {
  payer_name: ['name', 'text'],
  payer_email: ['email', 'email'],
  payer_msisdn: ['tel', 'tel'],
} as const satisfies Record<PayerField, readonly [string, string]>

/** The browser's own validation is off: its bubbles speak the browser's language, not the shopper's. */
export function detailsForm({ details, fields, words, submit, cancel }: DetailsContext): TemplateResult {
  const read = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const typed = new FormData(form)
    submit(Object.fromEntries(fields.map((field) => [field, String(typed.get(field))])))
  }
  return html`<form part="form" class="card" novalidate aria-labelledby="title" @submit=${read}>
    <strong id="title">${words.payer}</strong>
    ${fields.map((field) => input(field, details, words))}
    <button part="button" class="primary">${words.next}</button>
    <button type="button" @click=${cancel}>${words.cancel}</button>
  </form>`
}

function input(field: PayerField, { draft, problems }: Details, words: Words) {
  const isWrong = problems.includes(field)
  const [autocomplete, type] = KINDS[field]
  const hint = isWrong ? words.problem[field] : type === 'tel' ? words.hint : ''
  return html`<div part="field">
    <label for=${field}>${words[field]}</label>
    <input
      part="input"
      id=${field}
      name=${field}
      type=${type}
      autocomplete=${autocomplete}
      maxlength="100"
      .value=${draft[field]}
      aria-required="true"
      aria-invalid=${isWrong}
      aria-describedby="${field}-hint"
    />
    <p class="soft" id="${field}-hint">${hint}</p>
  </div>`
}
