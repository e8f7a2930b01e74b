// The document around every page of the portal: bar, navigation and title.

import { html } from 'hono/html'

import { respondWithDocument } from '../page-document.ts'
import { addressOf, card, link } from './card.ts'
import { GROUPS } from './page.ts'
import { STYLE } from './style.ts'
import { ZONE_SCRIPT } from './zone.ts'

import type { Environment } from '../environment.ts'
import type { User } from '../users/users.ts'
import type { World } from '../world.ts'
import type { Page, Problems } from './page.ts'
import type { Child } from 'hono/jsx'

export interface Frame {
  title: string
  environment: Environment
  merchant: string
  /** `null` on the pages before the sign-in. */
  visitor: { user: User; csrf: string; entries: readonly Page[]; path: string; zone: string } | null
  notice?: string | null
  problems?: Problems
}

/** The header of requests by the script below. They change nothing, so a notice or a secret stays for the user. */
export const BACKGROUND = 'x-live'

/**
 * The script of pages with an element `data-live`: it asks for the page again every three seconds, and shows what has
 * changed. It leaves alone what the user is in, and forms in which something was typed. Without it, the user reloads
 * the page.
 */
const LIVE_SCRIPT = `
addEventListener('input', ({ target }) => target.form?.setAttribute('data-used', ''))
const liveOf = (root) => root.querySelector('[data-live]')
const isInUse = (part) =>
  part.querySelector('[data-used]') !== null || (part !== document.activeElement && part.contains(document.activeElement))
setInterval(async () => {
  const main = document.querySelector('main')
  const shown = liveOf(document)
  if (shown === null || document.hidden) return
  const response = await fetch(location.href, { headers: { '${BACKGROUND}': '1' } }).catch(() => null)
  if (response === null || !response.ok || response.redirected) return
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = liveOf(next)
  if (fresh !== null && fresh.innerHTML === shown.innerHTML) return
  if (!isInUse(main)) main.replaceChildren(...next.querySelector('main').childNodes)
  else if (fresh !== null && !isInUse(shown)) shown.replaceWith(fresh)
}, 3000)
`

export function respondWithPage(frame: Frame, content: Child, status = 200): Promise<Response> {
  const { title, environment, visitor, merchant, problems = {}, notice } = frame
  const isRefused = Object.keys(problems).length > 0
  const document = {
    title: `${isRefused ? 'Error: ' : ''}${title} · ${merchant} · ${environment}`,
    environment,
    style: STYLE,
    script: ZONE_SCRIPT + (visitor === null ? '' : LIVE_SCRIPT),
    bodyClass: visitor === null ? 'outside' : '',
    bar: html`<a class="skip" href="#content">Skip to the content</a>
      <div class="bar">
        <a class="merchant" href="/portal">
          <span class="mark" aria-hidden="true">${Array.from(merchant)[0]}</span>${merchant}
        </a>
        ${visitor && menuOf(visitor)}
      </div>`,
    content: html`${visitor && html`<div class="aside">${navigationOf(visitor)}</div>`}
      <main id="content" tabindex="-1">
        <h1>${title}</h1>
        ${visitor && html`<small class="zone">Times: ${visitor.zone}</small>`}
        ${isRefused ? refusalOf(problems) : ''}
        ${notice ? html`<p class="notice good" role="status">${notice}</p>` : ''} ${content}
      </main>`,
  }
  return respondWithDocument(document, status)
}

/** Answers a browser that opened an address which does not exist. */
export function respondWithNotFound({ environment, merchant }: World, message: string): Promise<Response> {
  const frame = { title: 'Not found', environment, merchant: merchant.name, visitor: null }
  return respondWithPage(frame, card({ text: [message, link('/', 'Go to the portal')] }), 404)
}

type Visitor = NonNullable<Frame['visitor']>

function menuOf(visitor: Visitor) {
  const { user, csrf } = visitor
  const who = html`<form method="post" action="/portal/sign-out" accept-charset="utf-8" class="who">
    <span>${user.name}<small>${user.role}</small></span>
    <input type="hidden" name="csrf" value="${csrf}" /><button class="button quiet">Sign out</button>
  </form>`
  return html`<details class="menu">
      <summary>Menu</summary>
      <div class="drop">${navigationOf(visitor)} ${who}</div>
    </details>
    ${who}`
}

function navigationOf({ entries, path: own }: Visitor) {
  const entryOf = ({ path, title }: Page) => {
    const isCurrent = path === own || own.startsWith(`${path}/`)
    const current = isCurrent && html` aria-current="${path === own ? 'page' : 'true'}"`
    return html`<li><a href="${addressOf(path)}" ${current}>${title}</a></li>`
  }

  const groups = GROUPS.map((group) => [group, entries.filter((page) => page.group === group)] as const)
  return html`<nav aria-label="Portal">
    ${groups.map(
      ([group, pages]) =>
        pages.length > 0 &&
        html`<p class="group">${group}</p>
          <ul>
            ${pages.map(entryOf)}
          </ul>`,
    )}
  </nav>`
}

function refusalOf(problems: Problems) {
  return html`<div class="notice bad" role="alert">
    <strong>Nothing was changed</strong>
    <ul>
      ${Object.entries(problems).map(([field, problem]) => html`<li data-field="${field}">${problem}</li>`)}
    </ul>
  </div>`
}
