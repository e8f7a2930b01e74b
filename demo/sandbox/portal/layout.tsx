import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import { Form } from './form.tsx'
import { GROUPS } from './page.ts'
import { CONTENT_STYLE } from './content-style.ts'
import { LIVE_SCRIPT } from './live.ts'
import { STYLE as FRAME_STYLE } from './style.ts'
import type { Child } from 'hono/jsx'
import type { FormState, Problems } from './form.tsx'
import type { Page } from './page.ts'
import type { User } from '../accounts/users.ts'

export interface Frame {
  title: string
  environment: 'sandbox' | 'production'
  merchant: string
  /** `null` on the pages before the sign-in. */
  visitor: { user: User; signOut: FormState; entries: readonly Page[]; path: string } | null
  notice?: string | null
  problems?: Problems
}

const SENTENCES = {
  sandbox: 'Sandbox: no real money moves',
  production: 'Production, simulated: no real money moves',
} as const

const STYLE = FRAME_STYLE + CONTENT_STYLE
const [STYLE_HASH, SCRIPT_HASH] = [STYLE, LIVE_SCRIPT].map((text) =>
  createHash('sha256').update(text).digest('base64'),
)
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; script-src 'sha256-${SCRIPT_HASH}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export function respondWithPage(frame: Frame, content: Child, status = 200): Response {
  const document: { toString(): string } = <Document {...frame}>{content}</Document>
  return new Response(`<!doctype html>${document.toString()}`, { status, headers: HEADERS })
}

function Document({ children, ...frame }: Frame & { children?: Child }) {
  const { title, environment, visitor, merchant, problems = {} } = frame
  const isRefused = Object.keys(problems).length > 0
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${isRefused ? 'Error: ' : ''}${title} · ${merchant} · ${environment}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <style>{raw(STYLE)}</style>
      </head>
      <body class={visitor === null ? `${environment} outside` : environment}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <TopBar {...frame} />
        {visitor === null ? null : (
          <div class="aside">
            <Navigation {...visitor} />
          </div>
        )}
        <main id="content" tabindex={-1}>
          <h1>{title}</h1>
          {isRefused ? <Refusal problems={problems} /> : null}
          {frame.notice ? (
            <p class="notice good" role="status">
              {frame.notice}
            </p>
          ) : null}
          {children}
        </main>
        {visitor === null ? null : <script>{raw(LIVE_SCRIPT)}</script>}
      </body>
    </html>
  )
}

function TopBar({ environment, merchant, visitor }: Frame) {
  return (
    <header class="top">
      <p class="environment">{SENTENCES[environment]}</p>
      <div class="bar">
        <a class="merchant" href="/portal">
          <span class="mark" aria-hidden="true">
            {Array.from(merchant)[0]}
          </span>
          {merchant}
        </a>
        {visitor === null ? null : (
          <details class="menu">
            <summary>Menu</summary>
            <Navigation {...visitor} />
            <Who {...visitor} />
          </details>
        )}
        {visitor === null ? null : <Who {...visitor} />}
      </div>
    </header>
  )
}

function Who({ user, signOut }: NonNullable<Frame['visitor']>) {
  return (
    <div class="who">
      <span>
        {user.name}
        <small>{user.role}</small>
      </span>
      <Form of={signOut} submit="Sign out" button="quiet" />
    </div>
  )
}

function Navigation({ entries, path }: NonNullable<Frame['visitor']>) {
  return (
    <nav aria-label="Portal">
      {[null, ...GROUPS].map((group) => {
        const own = entries.filter(({ entry }) => entry?.group === group)
        if (own.length === 0) return null
        return (
          <>
            {group === null ? null : <p class="group">{group}</p>}
            <ul>
              {own.map((page) => (
                <li>
                  <a href={addressOf(page.path)} aria-current={currentOf(page.path, path)}>
                    {page.entry?.label}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )
      })}
    </nav>
  )
}

function currentOf(entry: string, path: string): 'page' | 'true' | undefined {
  if (entry === path) return 'page'
  return path.startsWith(`${entry}/`) ? 'true' : undefined
}

function Refusal({ problems }: { problems: Problems }) {
  return (
    <div class="notice bad" role="alert">
      <strong>Nothing was changed</strong>
      <ul>
        {Object.entries(problems).map(([field, problem]) => (
          <li data-field={field}>{problem}</li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the address of a page of the portal. */
export function addressOf(path: string): string {
  return path === '/' ? '/portal' : `/portal${path}`
}
