// [spec: Standard checkout flow, 3] The page uses HTML forms that need no script, so it works in every browser and
// in-app view. Anyone who knows the reference may pay.

import { Hono } from 'hono'
import { possibleMsisdn } from '../../../server/contract/fields.ts'
import { toInternational } from '../money/currencies.ts'
import { readForm } from '../wire/body.ts'
import { playScenario, sendPromptToPhone } from '../sessions/customer.ts'
import { page, respondWithPage } from './page.tsx'
import { pageStateOf } from './page-state.ts'
import { offeredMethodsOf } from '../sessions/session.ts'
import { fits, isPayableAmount } from '../money/amounts.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { isScenarioOf } from '../scenarios.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Draft } from './page.tsx'
import type { Environment } from '../environment.ts'
import type { Simulation, World } from '../world.ts'

export function hostedPageRoutes(simulation: Simulation): Hono {
  const { timeline, environment } = simulation
  const pages = new Hono()
  const find = (reference: string) => findPage(simulation, reference)
  const show = (session: CheckoutSession, draft: Draft = {}) => page(session, simulation, draft)

  pages.get('/:reference', (c) => {
    const found = find(c.req.param('reference'))
    return found
      ? show(found.session, { stays: c.req.query('stay') !== undefined })
      : unknownPage(environment)
  })

  pages.post('/:reference/prompt', async (c) => {
    const found = find(c.req.param('reference'))
    if (!found) return unknownPage(environment)
    const { world, session } = found
    const form = await readForm(c.req.raw)
    if ('failure' in form) return problemPage(environment, form.failure.message)
    const typed = { method: form.value['method'] ?? '', msisdn: form.value['msisdn'] ?? '' }
    const method = offeredMethodsOf(session).find(({ code }) => code === typed.method)
    const msisdn = possibleMsisdn.safeParse(toInternational(typed.msisdn, session.service.country))
    if (!method) return show(session, { method: { ...typed, error: 'Choose one of the ways to pay.' } })
    if (!msisdn.success) return show(session, { method: { ...typed, error: 'Check the phone number.' } })
    // A refusal (a prompt is open, the session has ended) needs no message: the page shows that state.
    sendPromptToPhone(world, session, { methodCode: method.code, msisdn: msisdn.data })
    return c.redirect(`/pay/${session.reference}`, 303)
  })

  pages.post('/:reference/act', async (c) => {
    const found = find(c.req.param('reference'))
    if (!found) return unknownPage(environment)
    const { world, session } = found
    const form = await readForm(c.req.raw)
    if ('failure' in form) return problemPage(environment, form.failure.message)
    const scenario = form.value['scenario'] ?? ''
    const typed = form.value['amount']?.trim() ?? null
    if (!isScenarioOf('checkout')(scenario)) return problemPage(environment, 'This action does not exist.')
    if (pageStateOf(session, timeline.now()).kind !== 'prompted')
      return c.redirect(`/pay/${session.reference}`, 303)
    if (typed !== null && !isPayableAmount(typed))
      return show(session, {
        amount: { scenario, amount: typed, error: `Enter an amount such as ${exampleIn(session)}.` },
      })
    const prompt = { methodCode: session.methodCode, msisdn: session.msisdn }
    const failure = playScenario(world, session, prompt, { scenario, amount: typed })
    if (failure && typed !== null)
      return show(session, { amount: { scenario, amount: typed, error: failure.message } })
    return c.redirect(`/pay/${session.reference}`, 303)
  })

  return pages
}

function findPage(
  simulation: Simulation,
  reference: string,
): { world: World; session: CheckoutSession } | undefined {
  for (const world of simulation.worlds()) {
    const session = world.sessionsByReference.get(reference)
    if (session) return { world, session }
  }
  return undefined
}

function unknownPage(environment: Environment): Promise<Response> {
  const problem = 'This payment page does not exist. If you have paid, do not pay again: ask the shop.'
  return problemPage(environment, problem, 404)
}

function problemPage(environment: Environment, problem: string, status = 400): Promise<Response> {
  const content = (
    <section class="card message">
      <h1>{problem}</h1>
    </section>
  )
  return respondWithPage({ title: 'Error', environment, content }, status)
}

function exampleIn({ service }: CheckoutSession): string {
  return fits('99.50', CURRENCIES[service.currency]) ? '250 or 99.50' : '250'
}
