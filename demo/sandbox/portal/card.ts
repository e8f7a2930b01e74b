// The parts of which pages of the portal are made, such as cards, tags and timelines. A part that is null or empty is
// not shown.

import { html } from 'hono/html'

import type { Zone } from './zone.ts'
import type { Child } from 'hono/jsx'

export type Facts = readonly (readonly [label: Child, value: Child] | null)[]

export interface Card {
  title?: Child
  /** Beside the title, such as a status. */
  tag?: Child
  amount?: string
  text?: readonly Child[]
  facts?: Facts
  /** Text as it is, such as the body of a callback. */
  pre?: string
  content?: Child
  kind?: 'secret' | ''
}

export function card({ title, tag, amount, text = [], facts = [], pre, content, kind = '' }: Card) {
  const shownFacts = facts.filter((fact) => fact !== null)
  return html`<section class="card ${kind}">
    ${(title || amount) && html`<div class="head">${title && html`<h2>${title}</h2>`}${amount && html`<p class="amount">${amount}</p>`}${tag}</div>`}
    ${text.map((each) => each && html`<p>${each}</p>`)}
    ${
      shownFacts.length > 0 &&
      html`<dl class="facts">
        ${shownFacts.map(
          ([label, value]) =>
            html`<div>
              <dt>${label}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>`
    }
    ${pre && html`<pre>${pre}</pre>`} ${content}
  </section>`
}

/** Cards beside each other, as many as there is room for. */
export function cards(all: readonly Child[]) {
  return html`<div class="cards" data-live>${all}</div>`
}

/** Cards below each other, in one place of {@link cards}. */
export function stack(all: readonly Child[]) {
  return html`<div class="stack">${all}</div>`
}

/** A wide and a narrow column of cards. */
export function columns(wide: readonly Child[], narrow: readonly Child[]) {
  return html`<div class="columns">
    <div class="stack" data-live>${wide}</div>
    <div class="stack">${narrow}</div>
  </div>`
}

export function notice(text: Child, tone: Tone = 'plain') {
  return html`<p class="notice ${tone}">${text}</p>`
}

/** `good`: money arrived; `bad`: it did not; `warn`: a person is needed; `wait`: not decided; `plain`: all others. */
export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'plain'

/** A status as a page shows it. */
export interface Badge {
  readonly label: string
  readonly tone: Tone
  /** The gateway's code, if it has one. */
  readonly code?: number
}

export function tag({ label, tone, code }: Badge) {
  return html`<span class="tag ${tone}">${label} ${code && html`<small>${code}</small>`}</span>`
}

/** Returns the tag of what is on or off: a key, a service. */
export const tagOf = (isOn: boolean, on: string, off: string) =>
  tag(isOn ? { label: on, tone: 'good' } : { label: off, tone: 'plain' })

/** One line of a timeline. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly title: string
  readonly detail?: readonly (string | null)[]
  readonly tone?: Tone
  /** The path of the page that the line is about, below `/portal`. */
  readonly path?: string
}

export function timeline(moments: readonly Moment[], zone: Zone) {
  const line = ({ at, title, detail = [], tone = 'plain', path }: Moment) =>
    html`<li class="${tone}">
      ${zone.when(at)}<strong>${path === undefined ? title : link(path, title)}</strong>${small(joined(detail))}
    </li>`
  return html`<ol class="timeline">
    ${moments.map(line)}
  </ol>`
}

/** Text that people wrote, in the direction of its own script. */
export const text = (written: Child) => html`<bdi>${written}</bdi>`

export const small = (written: string) => html`<small>${text(written)}</small>`

/** Text that people copy. */
export const code = (written: string) => html`<code>${written}</code>`

/** Returns the address of a page of the portal. */
export const addressOf = (path: string) => (path === '/' ? '/portal' : `/portal${path}`)

export const link = (path: string, written: Child) => html`<a href="${addressOf(path)}">${written}</a>`

/** Joins the texts that are not empty. */
export const joined = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')
