// A form of the portal as HTML. Every form has the browser's CSRF token and an id of its own, by which a second submission
// is recognized.

import { html } from 'hono/html'
import { isFromOtherSite } from '../wire/access.ts'
import { readForm } from '../wire/body.ts'
import { card } from './card.ts'
import { LOOKS } from './page.ts'
import type { Context } from 'hono'
import type { Merchant } from '../merchant.ts'
import type { Look, PortalForm, Problems, ShownForm } from './page.ts'

export interface FormState {
  readonly name: string
  /** The address that the form is sent to. */
  readonly action: string
  readonly csrf: string
  readonly id: string
  /** What was typed, if the form was refused. */
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Problems
}

/** Returns what a form contains that a page of the same browser has sent; otherwise why it is refused, with the status. */
export async function readOwnForm(c: Context, isCsrf: (token: string) => boolean) {
  if (isFromOtherSite(c)) return { problem: 'A page of another site cannot send this form.', status: 403 }
  const body = await readForm(c.req.raw)
  if ('failure' in body) return { problem: body.failure.message, status: 400 }
  if (isCsrf(body.value['csrf'] ?? '')) return { given: body.value }
  return { problem: 'The field csrf is wrong: this form is out of date. Open the page again.', status: 403 }
}

/** Returns the card of a form. */
export function formCard(
  { look: [submit, about, button], fields }: Pick<PortalForm, 'look' | 'fields'>,
  state: FormState,
  merchant: Merchant,
  { title = submit, tag, values = {} }: ShownForm = {},
) {
  const shown = Object.entries(fields).map(([name, schema]) => {
    const look = LOOKS.get(schema)
    const value = state.typed[name] ?? values[name] ?? ''
    return look ? fieldOf(state, name, look, value, merchant) : hidden(name, value)
  })
  const content = html`<form method="post" action="${state.action}" class="fields">
    ${hidden('csrf', state.csrf)}${hidden('form', state.id)}${shown}
    <button class="button ${button ?? ''}">${submit}</button>
  </form>`
  return card({ title, tag, text: [about], content })
}

export function hidden(name: string, value: string) {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

/** Returns a field with its label, its problem and its hint. */
export function fieldOf(
  { name: form, problems }: Pick<FormState, 'name' | 'problems'>,
  name: string,
  look: Look,
  value: string,
  merchant: Merchant,
) {
  const { label, type = 'text', hint = '', autocomplete = 'off', inputmode = 'text', isOptional } = look
  const id = `${form}-${name}`
  const problem = problems[name]
  const isFirst = Object.keys(problems)[0] === name
  const remarks = [problem && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const own = html`id="${id}" name="${name}" aria-describedby="${remarks}"
  aria-invalid="${problem !== undefined}" ${isFirst ? 'autofocus' : ''}`
  // A password is never sent back.
  const shown = type === 'password' ? '' : type === 'checkbox' ? 'on' : value
  const optionOf = ([key, text]: [string, string]) =>
    html`<option value="${key}" ${key === value ? 'selected' : ''}>${text}</option>`
  const input = look.choices
    ? html`<select ${own} ${isOptional ? '' : 'required'}>
        ${isOptional || value === '' ? html`<option value="">${isOptional ? 'All' : 'Choose…'}</option>` : ''}
        ${Object.entries(look.choices(merchant)).map(optionOf)}
      </select>`
    : html`<input
        ${own}
        type="${type}"
        value="${shown}"
        autocomplete="${autocomplete}"
        inputmode="${inputmode}"
        ${isOptional ? '' : 'required'}
        ${type === 'checkbox' && value === 'on' ? 'checked' : ''}
        dir="auto"
        spellcheck="false"
      />`
  return html`<div class="field">
    <label for="${id}">${label}</label> ${input}
    ${problem && html`<span class="error" id="${id}-error">${problem}</span>`}
    ${hint && html`<small id="${id}-hint">${hint}</small>`}
  </div>`
}
