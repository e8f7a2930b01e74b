/**
 * The page on which the customer pays, at `/pay/{checkout_reference}`. [spec: Standard checkout flow, 3]
 *
 * Plain HTML and forms, without a script: it works in every browser and in-app view. Knowing the reference
 * is the right to pay.
 */

import { Hono } from 'hono'
import { msisdn as msisdnField } from '../../server/contract/fields.ts'
import { readForm } from './body.ts'
import { play, sendPromptToPhone } from './customer.ts'
import { messageOf } from './failure.ts'
import { countdownStyle } from './hosted-page/countdown.tsx'
import { Document, htmlResponse } from './hosted-page/document.tsx'
import { Expired, GivenBack, Paid, Stuck, Waiting } from './hosted-page/ending.tsx'
import { MethodForm } from './hosted-page/method-form.tsx'
import { Phone } from './hosted-page/phone.tsx'
import { refreshSecondsOf, sceneOf } from './hosted-page/scene.ts'
import { Summary } from './hosted-page/summary.tsx'
import { MERCHANT } from './merchant.ts'
import { defaultMethodOf, methodsOf } from './methods.ts'
import { display, isPayableAmount } from './money.ts'
import { isScenarioName } from './scenarios.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { MethodDraft } from './hosted-page/method-form.tsx'
import type { AmountDraft } from './hosted-page/phone.tsx'
import type { Scene } from './hosted-page/scene.ts'
import type { Timeline } from './timeline.ts'
import type { Stage } from './world.ts'

export interface HostedPageOptions {
  stage: Stage
  timeline: Timeline
}

/** [assumed] Long enough to read the receipt. */
const RETURN_SECONDS = 6

/** What the customer typed last, when it was refused, and whether they asked to stay. */
interface Draft {
  method?: MethodDraft
  amount?: AmountDraft
  stays?: boolean
}

export function hostedPageRoutes({ stage, timeline }: HostedPageOptions): Hono {
  const pages = new Hono()
  const find = (reference: string) => stage.world().checkoutsByReference.get(reference)
  const show = (session: CheckoutSession, draft: Draft = {}) => page(session, timeline, draft)

  pages.get('/:reference', (c) => {
    const session = find(c.req.param('reference'))
    return session ? show(session, { stays: c.req.query('stay') !== undefined }) : unknownPage()
  })

  pages.post('/:reference/prompt', async (c) => {
    const session = find(c.req.param('reference'))
    if (!session) return unknownPage()
    const form = await readForm(c.req.raw)
    if ('failure' in form) return problemPage(messageOf(form.failure))
    const typed = { method: form.value['method'] ?? '', msisdn: form.value['msisdn'] ?? '' }
    const method = methodsOf(session.service).find(({ code }) => code === typed.method)
    const msisdn = msisdnField.safeParse(typed.msisdn)
    if (!method) return show(session, { method: { ...typed, error: 'Choose one of the ways to pay.' } })
    if (!msisdn.success)
      return show(session, { method: { ...typed, error: 'Enter a phone number with its country code.' } })
    // Refused when a prompt is open or the session has ended: the page says so by itself.
    sendPromptToPhone(stage.world(), session, { methodCode: method.code, msisdn: msisdn.data })
    return c.redirect(`/pay/${session.reference}`, 303)
  })

  pages.post('/:reference/act', async (c) => {
    const session = find(c.req.param('reference'))
    if (!session) return unknownPage()
    const form = await readForm(c.req.raw)
    if ('failure' in form) return problemPage(messageOf(form.failure))
    const scenario = form.value['scenario'] ?? ''
    const typed = form.value['amount']?.trim() ?? null
    if (!isScenarioName(scenario)) return problemPage('There is no such thing to do.')
    if (sceneOf(session, timeline.now()).kind !== 'prompted')
      return c.redirect(`/pay/${session.reference}`, 303)
    if (typed !== null && !isPayableAmount(typed))
      return show(session, {
        amount: { scenario, amount: typed, error: 'Enter an amount such as 250 or 99.50.' },
      })
    const prompt = { methodCode: defaultMethodOf(session.service), msisdn: session.request.payer_msisdn }
    const played = play(stage.world(), session, prompt, { scenario, amount: typed })
    if ('failure' in played && typed !== null)
      return show(session, { amount: { scenario, amount: typed, error: messageOf(played.failure) } })
    return c.redirect(`/pay/${session.reference}`, 303)
  })

  return pages
}

function page(session: CheckoutSession, timeline: Timeline, draft: Draft): Response {
  const now = timeline.now()
  const scene = sceneOf(session, now)
  const refused = draft.method ?? draft.amount
  const style = countdownStyle(session.expiresAt - now, timeline.speed())
  const amount = display(String(session.request.amount), session.service.currency)
  const document = (
    <Document
      title={`${refused ? 'Error: ' : ''}${titleOf(scene, amount)} · ${MERCHANT.name}`}
      style={style}
      refresh={refused ? null : refreshOf(scene, session, timeline, draft)}
    >
      <Summary session={session} now={now} isOver={scene.kind === 'paid' || scene.kind === 'given_back'} />
      <SceneBody session={session} scene={scene} now={now} draft={draft} />
      <BackLink session={session} scene={scene} />
    </Document>
  )
  return htmlResponse(document, style, refused ? 422 : 200)
}

function SceneBody({
  session,
  scene,
  now,
  draft,
}: {
  session: CheckoutSession
  scene: Scene
  now: number
  draft: Draft
}) {
  switch (scene.kind) {
    case 'choosing': {
      const { payer_msisdn } = session.request
      const untouched = { method: defaultMethodOf(session.service), msisdn: `+${payer_msisdn}`, error: null }
      return <MethodForm session={session} last={scene.last} draft={draft.method ?? untouched} />
    }
    case 'prompted':
      return (
        <Phone
          session={session}
          payment={scene.payment}
          msLeft={scene.closesAt - now}
          draft={draft.amount ?? null}
        />
      )
    case 'waiting':
      return <Waiting session={session} payment={scene.payment} msLeft={scene.until - now} />
    case 'stuck':
      return <Stuck session={session} />
    case 'paid':
      return <Paid session={session} returnSeconds={draft.stays ? null : RETURN_SECONDS} />
    case 'given_back':
      return <GivenBack session={session} as={scene.as} />
    case 'expired':
      return <Expired session={session} />
  }
}

/** Scenes that end the checkout carry the way back as their own button. */
function BackLink({ session, scene }: { session: CheckoutSession; scene: Scene }) {
  if (scene.kind === 'paid' || scene.kind === 'given_back' || scene.kind === 'expired') return null
  return (
    <a class="back" href={session.request.redirect_url}>
      Back to the shop
    </a>
  )
}

function titleOf(scene: Scene, amount: string): string {
  switch (scene.kind) {
    case 'choosing':
      return `Pay ${amount}`
    case 'prompted':
      return 'Check your phone'
    case 'waiting':
      return 'Waiting'
    case 'stuck':
      return 'Needs a closer look'
    case 'paid':
      return 'Paid'
    case 'given_back':
      return scene.as === 'reversed' ? 'Reversed' : 'Refunded'
    case 'expired':
      return 'Expired'
  }
}

function refreshOf(scene: Scene, session: CheckoutSession, timeline: Timeline, draft: Draft): string | null {
  if (scene.kind === 'paid')
    return draft.stays ? null : `${RETURN_SECONDS};url=${new URL(session.request.redirect_url).href}`
  const seconds = refreshSecondsOf(scene, session, timeline.now(), timeline.speed())
  return seconds === null ? null : String(seconds)
}

function unknownPage(): Response {
  return problemPage('This payment page does not exist. Go back to the shop to start again.', 404)
}

function problemPage(problem: string, status = 400): Response {
  const document = (
    <Document title="Not possible">
      <section class="card scene">
        <h1>{problem}</h1>
      </section>
    </Document>
  )
  return htmlResponse(document, '', status)
}
