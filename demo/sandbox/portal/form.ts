// A form of the portal: how it is shown, and how it is read. Every form has the browser's CSRF token and an id of its
// own, by which a second submission is recognized.

import { html } from 'hono/html'

import { Failure } from '../errors/failure.ts'
import { isFromOtherSite } from '../http/cross-site.ts'
import { readForm } from '../http/request-body.ts'
import { card } from './card.ts'
import { fieldOf, hidden, LOOKS } from './fields.ts'

import type { Merchant } from '../merchants/merchant.ts'
import type { SignIns } from '../users/sign-ins.ts'
import type { PortalForm, Problems, ShownForm } from './page.ts'
import type { Context } from 'hono'

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

/**
 * Resolves with the fields of a form that a page of the same browser has sent; otherwise why it is refused, with the
 * status.
 */
export async function readOwnForm(c: Context, { isCsrfOf }: SignIns, browser: string) {
  if (isFromOtherSite(c)) {
    return { problem: 'A page of another site cannot send this form.', status: 403 }
  }

  const body = await readForm(c.req.raw)
  if (body instanceof Failure) {
    return { problem: body.message, status: 400 }
  }
  if (isCsrfOf(browser, body['csrf'] ?? '')) {
    return { fields: body }
  }
  return { problem: 'The field csrf is wrong: this form is out of date. Open the page again.', status: 403 }
}

/** Returns the card of a form. The button of a form without fields is its title. */
export function formCard(
  { submit, about, button, fields }: Omit<PortalForm, 'roles' | 'send'>,
  state: FormState,
  merchant: Merchant,
  { title, tag, values = {} }: ShownForm = {},
) {
  const inputs = Object.entries(fields).map(([name, schema]) => {
    const look = LOOKS.get(schema)
    const value = state.typed[name] ?? values[name] ?? ''
    return look ? fieldOf(state, name, look, value, merchant) : hidden(name, value)
  })
  const content = html`<form method="post" action="${state.action}" accept-charset="utf-8" class="fields">
    ${hidden('csrf', state.csrf)}${hidden('form', state.id)}${inputs}
    <button class="button ${button ?? ''}">${submit}</button>
  </form>`
  const hasFields = Object.values(fields).some((schema) => LOOKS.has(schema))
  return card({ title: title ?? (hasFields && submit), tag, text: [about], content })
}
