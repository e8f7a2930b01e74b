// [spec: Standard checkout flow, 3] The page uses HTML forms that need no script, so it works in every browser and
// in-app view. Anyone who knows the reference may pay.

import { Hono } from 'hono'
import { possibleMsisdn } from '../../../server/contract/fields.ts'
import { readForm } from '../wire/body.ts'
import { playScenario, sendPromptToPhone } from '../sessions/customer.ts'
import { page, respondWithPage } from './page.tsx'
import { pageStateOf } from './page-state.ts'
import { offeredMethodsOf } from '../sessions/session.ts'
import { fits, isPayableAmount } from '../money/amounts.ts'
import { CURRENCIES, toInternational } from '../money/currencies.ts'
import { isScenarioOf } from '../scenarios.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Draft } from './page.tsx'
import type { Environment } from '../environment.ts'
import type { Simulation, World } from '../world.ts'

type Fields = Readonly<Record<string, string>>

type Found = { readonly world: World; readonly session: CheckoutSession }

export function hostedPageRoutes(simulation: Simulation): Hono {
  const { timeline, environment } = simulation
  const pages = new Hono()
  const show = (session: CheckoutSession, draft: Draft = {}) => page(session, simulation, draft)
  const find = (reference: string): Found | undefined =>
    simulation.worlds().flatMap((world) => {
      const session = world.sessionsByReference.get(reference)
      return session ? [{ world, session }] : []
    })[0]

  /** Handles a form; without a response, the customer sees the page as it is then. */
  const onForm = (name: string, handle: (found: Found, form: Fields) => Promise<Response> | null) =>
    pages.post(`/:reference/${name}`, async (c) => {
      const found = find(c.req.param('reference'))
      if (!found) return unknownPage(environment)
      const form = await readForm(c.req.raw)
      if ('failure' in form) return problemPage(environment, form.failure.message)
      return (await handle(found, form.value)) ?? c.redirect(`/pay/${found.session.reference}`, 303)
    })

  pages.get('/:reference', (c) => {
    const found = find(c.req.param('reference'))
    return found
      ? show(found.session, { stays: c.req.query('stay') !== undefined })
      : unknownPage(environment)
  })

  onForm('prompt', ({ world, session }, form) => {
    const typed = { method: form['method'] ?? '', msisdn: form['msisdn'] ?? '' }
    const method = offeredMethodsOf(session).find(({ code }) => code === typed.method)
    const msisdn = possibleMsisdn.safeParse(toInternational(typed.msisdn, session.service.country))
    if (!method) return show(session, { method: { ...typed, error: 'Choose one of the ways to pay.' } })
    if (!msisdn.success) return show(session, { method: { ...typed, error: 'Check the phone number.' } })
    // A refusal (a prompt is open, the session has ended) needs no message: the page shows that state.
    sendPromptToPhone(world, session, { methodCode: method.code, msisdn: msisdn.data })
    return null
  })

  onForm('act', ({ world, session }, form) => {
    const scenario = form['scenario'] ?? ''
    const typed = form['amount']?.trim() ?? null
    if (!isScenarioOf('checkout')(scenario)) return problemPage(environment, 'This action does not exist.')
    if (pageStateOf(session, timeline.now()).kind !== 'prompted') return null
    const refuse = (amount: string, error: string) => show(session, { amount: { scenario, amount, error } })
    if (typed !== null && !isPayableAmount(typed))
      return refuse(typed, `Enter an amount such as ${exampleIn(session)}.`)
    const prompt = { methodCode: session.methodCode, msisdn: session.msisdn }
    const failure = playScenario(world, session, prompt, { scenario, amount: typed })
    return failure && typed !== null ? refuse(typed, failure.message) : null
  })

  return pages
}

function unknownPage(environment: Environment): Promise<Response> {
  const problem = 'This payment page does not exist. If you have paid, do not pay again: ask the shop.'
  return problemPage(environment, problem, 404)
}

function problemPage(environment: Environment, problem: string, status = 400): Promise<Response> {
  const content = <section class="card message">{<h1>{problem}</h1>}</section>
  return respondWithPage({ title: 'Error', environment, content }, status)
}

function exampleIn({ service }: CheckoutSession): string {
  return fits('99.50', CURRENCIES[service.currency]) ? '250 or 99.50' : '250'
}
