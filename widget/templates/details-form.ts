/** Asks for what the page did not say about the payer. */

import { html, nothing } from 'lit'

import type { TemplateResult } from 'lit'
import type { Words } from '../locale.ts'
import type { Payer, PayerField } from '../payer.ts'

export interface DetailsContext {
  words: Words
  fields: readonly PayerField[]
  draft: Payer
  problems: readonly PayerField[]
  /** Whether national phone numbers can be completed. */
  hasCountry: boolean
  submit: (form: FormData) => void
  cancel: () => void
}

const INPUTS = {
  payer_name: { type: 'text', autocomplete: 'name' },
  payer_email: { type: 'email', autocomplete: 'email' },
  payer_msisdn: { type: 'tel', autocomplete: 'tel' },
} as const satisfies Record<PayerField, { type: string; autocomplete: string }>

/** The browser's own validation is off: its bubbles speak the browser's language, not the shopper's. */
export function detailsForm(context: DetailsContext): TemplateResult {
  const { words, fields, submit, cancel } = context
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (event.currentTarget instanceof HTMLFormElement) submit(new FormData(event.currentTarget))
  }
  return html`<form part="form" class="card form" novalidate aria-labelledby="title" @submit=${onSubmit}>
    <strong class="title" id="title">${words.detailsTitle}</strong>
    ${fields.map((field) => input(field, context))}
    <div class="actions">
      <button part="button" class="button primary" type="submit">${words.start}</button>
      <button class="button quiet" type="button" @click=${cancel}>${words.cancel}</button>
    </div>
  </form>`
}

function input(field: PayerField, { words, draft, problems, hasCountry }: DetailsContext) {
  const isWrong = problems.includes(field)
  const msisdnHint = hasCountry ? words.msisdnHint : words.msisdnHintInternational
  const hint = isWrong ? words.problem[field] : field === 'payer_msisdn' ? msisdnHint : ''
  return html`<div part="field" class="field">
    <label for=${field}>${words[field]}</label>
    <input
      part="input"
      id=${field}
      name=${field}
      type=${INPUTS[field].type}
      autocomplete=${INPUTS[field].autocomplete}
      maxlength="100"
      required
      .value=${draft[field]}
      aria-invalid=${isWrong ? 'true' : 'false'}
      aria-describedby="${field}-hint"
    />
    <p id="${field}-hint" class=${isWrong ? 'problem' : 'hint'}>${hint || nothing}</p>
  </div>`
}
