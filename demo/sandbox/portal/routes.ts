// The merchant portal: its pages, who may see each, and how a form is sent. [spec: What the service does, 3] It uses
// HTML forms, so it works in every browser. A script only keeps what is shown up to date, and tells the time zone.

import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { randomUUID } from 'node:crypto'

import { DEVELOPERS, EVERYONE, OWNERS, STATEMENT_READERS } from '../users/roles.ts'
import { submitOnce } from '../users/sign-ins.ts'
import { addressOf, card, link } from './card.ts'
import { browserOf, entranceRoutes, SIGN_IN } from './entrance.ts'
import { formCard, readOwnForm } from './form.ts'
import { BACKGROUND, respondWithPage } from './layout.ts'
import { listPage } from './list.ts'
import { accounts, statement } from './pages/accounts.ts'
import { DELIVERIES, delivery } from './pages/deliveries.ts'
import { onboarding } from './pages/onboarding.ts'
import { overview } from './pages/overview.ts'
import { callbacks, key, keys, service, services } from './pages/settings.ts'
import { user, users } from './pages/users.ts'
import { statementOf } from './statement.ts'
import { AIRTIME, payout, PAYOUTS, recipient } from './transactions/money-out.ts'
import { charge, CHARGES, payment, PAYMENTS } from './transactions/sessions.ts'
import { zoneOf, ZONE_COOKIE } from './zone.ts'

import type { Roles } from '../users/roles.ts'
import type { SignIn } from '../users/sign-ins.ts'
import type { Simulation } from '../world.ts'
import type { FormState } from './form.ts'
import type { Content, Page, PortalForm, Problems, Visit } from './page.ts'
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'

/** The pages in the order of the navigation, with the roles that may see each. */
export const PAGES = [
  pageAt('/', 'Overview', EVERYONE, overview, ''),
  pageAt('/payments', 'Payments', EVERYONE, listPage(PAYMENTS), 'Money'),
  pageAt('/payments/:merchant_transaction_id', 'Payment', EVERYONE, payment),
  pageAt('/charges', 'Charges', EVERYONE, listPage(CHARGES), 'Money'),
  pageAt('/charges/:external_reference', 'Charge', EVERYONE, charge),
  pageAt('/payouts', 'Payouts', EVERYONE, listPage(PAYOUTS), 'Money'),
  pageAt('/payouts/:payout_reference', 'Payout', EVERYONE, payout),
  pageAt('/airtime', 'Airtime', EVERYONE, listPage(AIRTIME), 'Money'),
  pageAt('/airtime/:reference/:phone_number', 'Airtime', EVERYONE, recipient),
  pageAt('/accounts', 'Accounts', EVERYONE, accounts, 'Money'),
  pageAt('/accounts/:account_number', 'Statement', STATEMENT_READERS, statement),
  pageAt('/keys', 'API keys', DEVELOPERS, keys, 'Settings'),
  pageAt('/keys/:key', 'API key', DEVELOPERS, key),
  pageAt('/services', 'Services', EVERYONE, services, 'Settings'),
  pageAt('/services/:code', 'Service', EVERYONE, service),
  pageAt('/callback-urls', 'Callback URLs', EVERYONE, callbacks, 'Settings'),
  pageAt('/deliveries', 'Deliveries', EVERYONE, listPage(DELIVERIES), 'Settings'),
  pageAt('/deliveries/:id', 'Delivery', EVERYONE, delivery),
  pageAt('/users', 'Users', OWNERS, users, 'Business'),
  pageAt('/users/:email', 'User', OWNERS, user),
  pageAt('/onboarding', 'Onboarding', EVERYONE, onboarding, 'Business'),
]

// The statement as a file, which is no page.
const STATEMENT = pageAt('/statement.csv', 'Statement', STATEMENT_READERS, { show: () => null })

function pageAt(path: string, title: string, roles: Roles, content: Content, group?: Page['group']): Page {
  return { ...content, path, title, roles, group }
}

// A longer query is ignored: each form repeats it in its address.
const LONGEST_QUERY = 1_000

export function portalRoutes(simulation: Simulation): Hono {
  const portal = new Hono()

  portal.route('/', entranceRoutes(simulation))
  portal.get(STATEMENT.path, async (c) => {
    const request = await enter(c, simulation, STATEMENT)
    if (request instanceof Response) {
      return request
    }

    const { world, zone, now, query } = request.visit
    const day = query.get('day') ?? zone.dateOf(now)
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) {
      return problemPage(request, 'The day has to be a date such as 2026-11-21.', 422)
    }
    return c.body(statementOf(world, day, zone), 200, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="statement-${day}.csv"`,
    })
  })
  for (const page of PAGES) {
    portal.get(page.path, async (c) => {
      // A page may show a secret once, and HEAD would take it away.
      if (c.req.method === 'HEAD') {
        return c.body(null)
      }

      const request = await enter(c, simulation, page)
      return request instanceof Response ? request : show(request)
    })
    for (const [name, form] of Object.entries(page.forms ?? {})) {
      portal.post(`${page.path === '/' ? '' : page.path}/${name}`, async (c) => {
        const request = await enter(c, simulation, page, name)
        return request instanceof Response ? request : submit(c, request, name, form)
      })
    }
  }

  return portal
}

interface PortalRequest {
  readonly page: Page
  readonly signIn: SignIn
  readonly browser: string
  readonly visit: Visit
  /** Whether the script of the portal asks, and not the user. */
  readonly isBackground: boolean
}

/** A form that was refused. */
type Draft = Pick<FormState, 'name' | 'typed' | 'problems'>

/** Resolves with a response if the user is not signed in, or may not see the page or send the form. */
async function enter(c: Context, simulation: Simulation, page: Page, form?: string) {
  const { signIns, users } = simulation.world()
  const browser = browserOf(c, simulation)
  const signIn = signIns.find(browser)
  const user = signIn && users.find(signIn.email)
  const { pathname, search } = new URL(c.req.url)
  const query = search.length > LONGEST_QUERY ? '' : search
  if (!signIn || !user) {
    const next = form === undefined ? `?next=${encodeURIComponent(pathname + query)}` : ''
    return c.redirect(`${SIGN_IN}${next}`, 303)
  }

  const world = simulation.world(simulation.merchants.find(({ clientCode }) => clientCode === user.merchant))
  const visit = {
    world,
    user,
    address: form === undefined ? pathname : pathname.slice(0, -form.length - 1),
    title: page.title,
    params: c.req.param(),
    query: new URLSearchParams(query),
    now: simulation.clock.now(),
    zone: zoneOf(getCookie(c, ZONE_COOKIE), world.merchant.country),
    may: (allowed: Roles) => allowed.includes(user.role),
  }
  const request = { page, signIn, browser, visit, isBackground: c.req.header(BACKGROUND) !== undefined }
  const roles = form === undefined ? page.roles : (page.forms?.[form]?.roles ?? [])
  if (visit.may(roles)) {
    return request
  }
  return problemPage(
    request,
    `Your role is ${user.role}. Only these roles may do this: ${roles.join(', ')}.`,
    403,
  )
}

/** Returns the address of the visited page, or of one of its forms, with the query. */
function addressIn({ address, query }: Visit, form = ''): string {
  return `${address}${form}${query.size > 0 ? `?${query.toString()}` : ''}`
}

async function show(request: PortalRequest, draft: Draft | null = null): Promise<Response> {
  const { page, signIn, browser, visit, isBackground } = request
  const { world, may } = visit
  const content = page.show({
    ...visit,
    showForm(name, shown) {
      const form = page.forms?.[name]
      if (!form) {
        throw new RangeError(`The page ${page.path} has no form ${name}.`)
      }
      if (!may(form.roles)) {
        return null
      }

      const { typed, problems } = draft?.name === name ? draft : { typed: {}, problems: {} }
      const id = isBackground ? randomUUID() : world.signIns.newForm()
      const secured = { csrf: world.signIns.csrfOf(browser), id, typed, problems }
      return formCard(form, { name, action: addressIn(visit, `/${name}`), ...secured }, world.merchant, shown)
    },
    showSecret(owner, title) {
      const secret = signIn.secrets.get(owner)
      if (!isBackground) {
        signIn.secrets.delete(owner)
      }

      const text = ['Copy it now. It is shown only once, because only its hash is stored.']
      return secret === undefined ? null : card({ kind: 'secret', title, pre: secret, text })
    },
  })
  if (content === null) {
    return problemPage(
      request,
      'Nothing is at this address. It may be mistyped, or what it named was removed.',
      404,
    )
  }
  return respond(request, page.title, content, draft === null ? 200 : 422, draft?.problems)
}

async function submit(c: Context, request: PortalRequest, name: string, form: PortalForm): Promise<Response> {
  const { signIn, browser, visit } = request
  const posted = await readOwnForm(c, visit.world.signIns, browser)
  if (!posted.fields) {
    return problemPage(request, posted.problem, posted.status)
  }

  const { form: id, ...fields } = posted.fields
  if (!id) {
    return problemPage(request, 'The field form is missing. Open the page again.', 403)
  }

  const typed = Object.fromEntries(Object.keys(form.fields).map((field) => [field, fields[field] ?? '']))
  let problems: Problems = {}
  const next = await submitOnce(signIn, `${name} ${id}`, async () => {
    const result = form.send(visit, typed, undefined)
    if (result?.kind === 'done') {
      const { to, notice, secret } = result
      signIn.notice = notice
      if (secret) {
        signIn.secrets.set(secret.owner, secret.value)
      }
      return to === undefined ? addressIn(visit) : addressOf(to)
    }
    if (result) {
      problems = result.problems
    }
    return null
  })
  return next === null ? show(request, { name, typed, problems }) : c.redirect(next, 303)
}

function respond(
  request: PortalRequest,
  title: string,
  content: Child,
  status: number,
  problems: Problems = {},
) {
  const { page, visit, signIn, browser, isBackground } = request
  const { user, world, may } = visit
  const { notice } = signIn
  // The notice is for the page that the user opens, not for one that the script asks for in the background.
  if (!isBackground) {
    signIn.notice = null
  }

  const entries = PAGES.filter(({ group, roles }) => group !== undefined && may(roles))
  const zone = visit.zone.nameAt(visit.now)
  const visitor = { user, csrf: world.signIns.csrfOf(browser), entries, path: page.path, zone }
  const { environment, merchant } = world
  return respondWithPage(
    { title, environment, merchant: merchant.name, visitor, notice, problems },
    content,
    status,
  )
}

const TITLES: Readonly<Record<number, string>> = { 403: 'Not allowed', 404: 'Not found' }

function problemPage(request: PortalRequest, text: string, status: number): Promise<Response> {
  const content = card({ text: [text, link('/', 'Back to the overview')] })
  return respond(request, TITLES[status] ?? 'Not understood', content, status)
}
