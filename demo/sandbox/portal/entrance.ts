// The sign-in to the portal, the sign-out, and the cookie of the browser.

import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'

import { parseUrl } from '../../../server/contract/parse.ts'
import { ROLES } from '../users/roles.ts'
import { SEEDED_PASSWORD, SEEDED_USERS } from '../users/users.ts'
import { card, code } from './card.ts'
import { LOOKS, password } from './fields.ts'
import { formCard, readOwnForm } from './form.ts'
import { respondWithPage } from './layout.ts'

import type { Simulation } from '../world.ts'
import type { FormState } from './form.ts'
import type { Context } from 'hono'

export const SIGN_IN = '/portal/sign-in'

const FORM = {
  submit: 'Sign in',
  fields: {
    email: z.string().register(LOOKS, { label: 'E-mail address', type: 'email', autocomplete: 'username' }),
    password: password('Password', 'current-password'),
    next: z.string(),
  },
} as const

/** Returns the id in the browser's cookie, or sets the cookie to a new id. */
export function browserOf(c: Context, simulation: Simulation): string {
  const id = getCookie(c, cookieOf(simulation))
  return id || setBrowser(c, simulation, simulation.world().signIns.newBrowser())
}

export function entranceRoutes(simulation: Simulation): Hono {
  const { users, signIns } = simulation.world()
  const routes = new Hono()

  routes.get('/sign-in', async (c) => {
    const browser = browserOf(c, simulation)
    const next = ownAddress(c.req.query('next') ?? '')
    if (signIns.find(browser)) {
      return c.redirect(next, 303)
    }
    return signInPage(c, simulation, browser, { typed: { next }, problems: {}, status: 200 })
  })

  routes.post('/sign-in', async (c) => {
    const browser = browserOf(c, simulation)
    const form = await readOwnForm(c, signIns, browser)
    const { email = '', password = '', next: asked = '' } = form.fields ?? {}
    const next = ownAddress(asked)
    const refuse = (field: string, problem: string, status: number) =>
      signInPage(c, simulation, browser, { typed: { email, next }, problems: { [field]: problem }, status })
    if (!form.fields) {
      return refuse('csrf', form.problem, form.status)
    }

    const checked = users.check(email, password)
    if ('user' in checked) {
      // A new id: another person may have chosen the id from before the sign-in.
      setBrowser(c, simulation, signIns.begin(checked.user.email))
      return c.redirect(next, 303)
    }
    if (checked.delayMs > 0) {
      await simulation.clock.sleep(checked.delayMs)
    }
    return refuse('password', 'E-mail address or password is wrong.', 422)
  })

  routes.post('/sign-out', async (c) => {
    const browser = browserOf(c, simulation)
    const form = await readOwnForm(c, signIns, browser)
    if (form.fields) {
      signIns.end(browser)
      setBrowser(c, simulation, signIns.newBrowser())
    }
    return c.redirect(SIGN_IN, 303)
  })

  return routes
}

type Shown = Pick<FormState, 'typed' | 'problems'> & { readonly status: number }

async function signInPage(c: Context, simulation: Simulation, browser: string, shown: Shown) {
  const { typed, problems, status } = shown
  const { environment } = simulation
  const { signIns, merchant } = simulation.world()
  // A production environment does not show who uses it.
  const hinted = environment === 'sandbox' ? SEEDED_USERS.sandbox : []
  const secured = { csrf: signIns.csrfOf(browser), id: signIns.newForm(), typed, problems }
  const values = { email: hinted[0]?.email ?? '' }
  const hints = card({
    title: 'Users of the sandbox',
    text: [['The password of each is ', code(SEEDED_PASSWORD), '.']],
    facts: hinted.map(({ email, role }) => [code(email), ROLES[role]]),
  })
  const form = formCard(FORM, { name: 'sign-in', action: SIGN_IN, ...secured }, merchant, {
    title: '',
    values,
  })
  const content = [form, hinted.length === 0 ? null : hints]
  const frame = { title: 'Sign in', environment, merchant: 'Merchant portal', visitor: null, problems }
  const page = await respondWithPage(frame, content, status)
  // Hono adds the headers of the context, such as the cookie, to its own responses only.
  return c.newResponse(page.body, page)
}

function setBrowser(c: Context, simulation: Simulation, id: string): string {
  setCookie(c, cookieOf(simulation), id, { httpOnly: true, sameSite: 'Lax', path: '/portal' })
  return id
}

// Cookies do not know ports, and both environments may run on one machine.
const cookieOf = ({ environment }: Simulation) => `portal_${environment}`

/**
 * Returns the address if it is of a page of the portal; otherwise that of the overview. A link must not lead to another
 * site.
 */
function ownAddress(next: string): string {
  const base = 'http://portal.invalid'
  const { origin, pathname = '', search } = parseUrl(next, base) ?? {}
  const isOwn = origin === base && /^\/portal(\/|$)/.test(pathname) && pathname !== SIGN_IN
  return isOwn ? `${pathname}${search}` : '/portal'
}
