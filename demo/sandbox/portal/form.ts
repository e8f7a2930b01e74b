// Every form has the browser's CSRF token and an id of its own, by which a second submission is recognized.

import { html } from 'hono/html'
import { card } from './card.ts'
import { lookOf } from './page.ts'
import type { World } from '../world.ts'
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

/** Returns the card of a form. */
export function formCard(
  { look: [submit, about, button], fields }: Pick<PortalForm, 'look' | 'fields'>,
  state: FormState,
  world: World,
  { title = submit, tag, values = {} }: ShownForm = {},
) {
  const shown = Object.entries(fields).map(([name, schema]) => {
    const look = lookOf(schema)
    const value = state.typed[name] ?? values[name] ?? ''
    return look ? fieldOf(state, name, look, value, world) : hidden(name, value)
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
  world: World,
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
        ${Object.entries(look.choices(world)).map(optionOf)}
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
