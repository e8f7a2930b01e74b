// [spec: What the service does, 3] The portal uses HTML forms, so it works in every browser. A script only keeps what is
// shown up to date.

import { Hono } from 'hono'
import { isFromOtherSite } from '../wire/access.ts'
import { readForm } from '../wire/body.ts'
import { messageOf } from '../wire/failure.ts'
import { browserOf, openSignIn, signOut, submitSignIn, SIGN_IN } from './entrance.tsx'
import { addressOf, respondWithPage } from './layout.tsx'
import { PAGES } from './pages.ts'
import { submitOnce } from '../accounts/sign-ins.ts'
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Simulation } from '../world.ts'
import type { FormState, Problems } from './form.tsx'
import type { Page, PortalForm, Visit } from './page.ts'
import type { Roles } from '../accounts/roles.ts'
import type { SignIn } from '../accounts/sign-ins.ts'

// Each form repeats the query in its address.
const LONGEST_QUERY = 1_000

export function portalRoutes(simulation: Simulation): Hono {
  const portal = new Hono()

  portal.get('/sign-in', (c) => openSignIn(c, simulation))
  portal.post('/sign-in', (c) => submitSignIn(c, simulation))
  portal.post('/sign-out', (c) => signOut(c, simulation))

  for (const page of PAGES) {
    portal.get(page.path, (c) => {
      // A page may show a secret once, and HEAD would take it away.
      if (c.req.method === 'HEAD') return c.body(null)
      const request = enter(c, simulation, page, page.roles)
      return request instanceof Response ? request : show(request)
    })
    for (const [name, form] of Object.entries(page.forms ?? {}))
      portal.post(`${page.path === '/' ? '' : page.path}/${name}`, async (c) => {
        const request = enter(c, simulation, page, form.roles, name)
        return request instanceof Response ? request : submit(c, request, name, form)
      })
  }
  return portal
}

interface PortalRequest {
  readonly page: Page
  readonly simulation: Simulation
  readonly signIn: SignIn
  readonly browser: string
  /** The address of the page, without the name of a form, and with the query. */
  readonly address: string
  readonly visit: Omit<Visit, 'form'>
  /** Whether the script of the portal asks, and not the user. */
  readonly isBackground: boolean
}

/** The response is a refusal. */
function enter(
  c: Context,
  simulation: Simulation,
  page: Page,
  roles: Roles,
  form?: string,
): PortalRequest | Response {
  const { signIns, users } = simulation.world()
  const browser = browserOf(c, simulation)
  const signIn = signIns.find(browser)
  const user = signIn && users.find(signIn.email)
  const { pathname, search: wholeSearch } = new URL(c.req.url)
  const search = wholeSearch.length > LONGEST_QUERY ? '' : wholeSearch
  if (!signIn || !user) {
    const next = form === undefined ? `?next=${encodeURIComponent(pathname + search)}` : ''
    return c.redirect(`${SIGN_IN}${next}`, 303)
  }
  const world = simulation.world(simulation.merchants.find(({ clientCode }) => clientCode === user.merchant))
  const visit = {
    simulation,
    world,
    user,
    params: c.req.param(),
    query: new URLSearchParams(search),
    now: world.clock.now(),
    may: (allowed: Roles) => allowed.includes(user.role),
    takeSecret(of: string) {
      const secret = signIn.secrets.get(of) ?? null
      signIn.secrets.delete(of)
      return secret
    },
  }
  const own = form === undefined ? pathname : pathname.slice(0, -form.length - 1)
  const isBackground = c.req.header('x-live') !== undefined
  const request = { page, simulation, signIn, browser, address: own + search, visit, isBackground }
  if (form !== undefined && isFromOtherSite(c))
    return problem(request, 'A page of another site cannot send this form.', 403)
  return visit.may(roles)
    ? request
    : problem(request, `Your role is ${user.role}. This needs one of: ${roles.join(', ')}.`, 403)
}

function show(request: PortalRequest, draft: Draft | null = null): Response {
  const { page, visit } = request
  const content = page.show({ ...visit, form: (name) => formStateOf(request, name, draft) })
  if (content === null) return problem(request, 'This does not exist, or not any more.', 404)
  return respond(request, page.title, content, draft === null ? 200 : 422, draft?.problems)
}

async function submit(
  c: Context,
  request: PortalRequest,
  name: string,
  { fields, submit: change }: PortalForm,
): Promise<Response> {
  const { signIn, browser, visit } = request
  const body = await readForm(c.req.raw)
  if ('failure' in body) return problem(request, messageOf(body.failure), 400)
  const { csrf = '', form = '' } = body.value
  if (!visit.world.signIns.isCsrfOf(browser, csrf) || form === '')
    return problem(request, 'The field csrf is wrong: this form is out of date. Open the page again.', 403)

  const typed = Object.fromEntries(fields.map((field) => [field, body.value[field] ?? '']))
  let problems: Problems = {}
  const next = await submitOnce(signIn, `${name} ${form}`, async () => {
    const state = (wanted: string) => formStateOf(request, wanted, null)
    const outcome = await change({ ...visit, form: state }, typed)
    if ('problems' in outcome) {
      problems = outcome.problems
      return null
    }
    signIn.notice = outcome.notice
    if (outcome.secret) signIn.secrets.set(outcome.secret.of, outcome.secret.value)
    return outcome.to === undefined ? request.address : addressOf(outcome.to)
  })
  return next === null ? show(request, { name, typed, problems }) : c.redirect(next, 303)
}

interface Draft {
  name: string
  typed: Readonly<Record<string, string>>
  problems: Problems
}

function formStateOf(
  { address, browser, visit }: PortalRequest,
  name: string,
  draft: Draft | null,
): FormState {
  const { signIns } = visit.world
  const [path = '', query] = address.split('?', 2)
  const isRefused = draft?.name === name
  return {
    name,
    action: `${path}/${name}${query === undefined ? '' : `?${query}`}`,
    csrf: signIns.csrfOf(browser),
    id: signIns.newForm(),
    typed: isRefused ? draft.typed : {},
    problems: isRefused ? draft.problems : {},
  }
}

function respond(
  request: PortalRequest,
  title: string,
  content: Child,
  status: number,
  problems: Problems = {},
): Response {
  const { page, visit, signIn, simulation } = request
  const { notice } = signIn
  // The notice is for the page that the user opens, not for one that the script asks for in the background.
  if (!request.isBackground) signIn.notice = null
  const signOutForm = { ...formStateOf(request, 'sign-out', null), action: '/portal/sign-out' }
  const entries = PAGES.filter(({ entry, roles }) => entry !== undefined && visit.may(roles))
  const frame = {
    title,
    environment: simulation.environment,
    merchant: visit.world.merchant.name,
    visitor: { user: visit.user, signOut: signOutForm, entries, path: page.path },
    notice,
    problems,
  }
  return respondWithPage(frame, content, status)
}

function problem(request: PortalRequest, text: string, status: number): Response {
  const title = status === 404 ? 'Not found' : status === 403 ? 'Not allowed' : 'Not understood'
  return respond(
    request,
    title,
    <section class="card">
      <p>{text}</p>
      <p>
        <a href="/portal">Back to the overview</a>
      </p>
    </section>,
    status,
  )
}
