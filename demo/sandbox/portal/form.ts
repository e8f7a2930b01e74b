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
  { title = submit, tag, isFolded, values = {} }: ShownForm = {},
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
  if (!isFolded) return card({ title, tag, text: [about], content })
  return html`<details class="card" ${Object.keys(state.problems).length > 0 ? 'open' : ''}>
    <summary>${title}</summary>
    ${content}
  </details>`
}

function hidden(name: string, value: string) {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

function fieldOf({ name: form, problems }: FormState, name: string, look: Look, value: string, world: World) {
  const { label, type = 'text', hint = '', autocomplete = 'off', inputmode = 'text', isOptional } = look
  const id = `${form}-${name}`
  const problem = problems[name]
  const isFirst = Object.keys(problems)[0] === name
  const remarks = [problem && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const own = html`id="${id}" name="${name}" aria-describedby="${remarks}"
  aria-invalid="${problem !== undefined}" ${isFirst ? 'autofocus' : ''}`
  const input =
    type === 'tick'
      ? html`<label class="tick"
          ><input ${own} type="checkbox" value="on" ${value === 'on' ? 'checked' : ''} /><span
            >${label}</span
          ></label
        >`
      : look.choices
        ? html`<select ${own} required>
            ${value === '' ? html`<option value="">Choose…</option>` : ''}
            ${optionsOf(look.choices(world), value)}
          </select>`
        : // A password is never sent back.
          html`<input
            ${own}
            type="${type}"
            value="${type === 'password' ? '' : value}"
            autocomplete="${autocomplete}"
            inputmode="${inputmode}"
            spellcheck="false"
            ${isOptional ? '' : 'required'}
          />`
  return html`<div class="field">
    ${type === 'tick' ? '' : html`<label for="${id}">${label}</label>`} ${input}
    ${problem && html`<span class="error" id="${id}-error">${problem}</span>`}
    ${hint && html`<small id="${id}-hint">${hint}</small>`}
  </div>`
}

export function optionsOf(choices: Readonly<Record<string, string>>, chosen: string) {
  return Object.entries(choices).map(
    ([value, text]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${text}</option>`,
  )
}
