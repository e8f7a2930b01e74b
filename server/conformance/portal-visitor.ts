/** Uses the portal as a browser without scripts does: keeps its cookie and page, and sends the forms of the page. */

type Request = (path: string, init?: RequestInit) => Response | Promise<Response>

export const PASSWORD = 'sandbox-password'

export interface Page {
  status: number
  location: string | null
  html: string
  headers: Headers
}

/** Opens a browser that shows no page yet. */
export function openPortal({ request }: { request: Request }, environment = 'sandbox') {
  let cookie = ''
  let page: Page = { status: 0, location: null, html: '', headers: new Headers() }

  async function ask(path: string, init: RequestInit = {}): Promise<Page> {
    const headers = new Headers(init.headers)
    if (cookie !== '' && !headers.has('cookie')) {
      headers.set('cookie', cookie)
    }

    const response = await request(path, { ...init, headers })
    const setCookie = response.headers.get('set-cookie') ?? ''
    const session = new RegExp(`portal_${environment}=[0-9a-f]+`).exec(setCookie)
    if (session) {
      cookie = session[0]
    }

    const { status } = response
    const location = response.headers.get('location')
    page = { status, location, html: await response.text(), headers: response.headers }
    return page
  }

  const visitor = {
    ask,
    cookie: () => cookie,
    page: () => page,
    open: (path = '') => ask(`/portal${path}`),
    /** Fills in fields of the form `name` of the current page ({@link formIn}), and sends the form. */
    async send(name: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
      return post(formIn(page.html, name, fields), headers)
    },
    post,
    /** Follows the redirect of the last answer. */
    follow: () => ask(page.location ?? ''),
    async signIn(email = 'owner@sandbox.test', password = PASSWORD) {
      await visitor.open('/sign-in')
      return visitor.send('sign-in', { email, password })
    },
  }

  function post({ action, fields }: SentForm, headers: Record<string, string> = {}): Promise<Page> {
    const type = 'application/x-www-form-urlencoded'
    const body = new URLSearchParams(fields).toString()
    return ask(action, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  }

  return visitor
}
export type Visitor = ReturnType<typeof openPortal>

/** Opens a browser whose user has signed in. Default: the owner. */
export async function signedIn(app: Parameters<typeof openPortal>[0], role = 'owner'): Promise<Visitor> {
  const visitor = openPortal(app)
  await visitor.signIn(`${role}@sandbox.test`)
  return visitor
}

export interface SentForm {
  action: string
  fields: Record<string, string>
}

/**
 * Returns the form of a page whose address ends with `name`, filled in with `fields`. If a page has several such forms,
 * as a list has one per row, returns the one whose hidden fields agree with `fields`.
 */
export function formIn(html: string, name: string, fields: Record<string, string> = {}): SentForm {
  const forms = [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
  const found = forms
    .filter(([, action = '']) => action.split('?')[0]?.endsWith(`/${name}`))
    .map(([, action = '', content = '']) => ({ action: plain(action), hidden: hiddenIn(content) }))
    .find(({ hidden }) => Object.entries(hidden).every(([key, value]) => (fields[key] ?? value) === value))
  if (!found) {
    throw new Error(`There is no form ${name} with ${JSON.stringify(fields)} in ${html}`)
  }
  return { action: found.action, fields: { ...found.hidden, ...fields } }
}

/** Returns the problems that a page shows, by the names of their fields. */
export function problemsIn(html: string): Record<string, string> {
  const items = [...html.matchAll(/<li data-field="([^"]*)">([^<]*)<\/li>/g)]
  return Object.fromEntries(items.map(([, field = '', text = '']) => [field, plain(text)]))
}

function hiddenIn(content: string): Record<string, string> {
  const inputs = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, plain(value)]))
}

function plain(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Returns the text of a page without tags, as a user reads it. */
export function readableIn(html: string): string {
  const text = html.replace(/<(style|script)>.*?<\/\1>/gs, ' ').replace(/<[^>]*>/g, ' ')
  return plain(text).replace(/\s+/g, ' ')
}
