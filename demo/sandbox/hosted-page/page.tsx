/** The whole page of one session at one moment: what is asked, the scene, and the way back. */

import { MERCHANT } from '../merchant.ts'
import { display } from '../money/amounts.ts'
import { countdownStyle } from './countdown.tsx'
import { Document, htmlResponse } from './document.tsx'
import { BackToShop, Expired, GivenBack, Paid, Stuck, Waiting } from './messages.tsx'
import { MethodForm } from './method-form.tsx'
import { Phone } from './phone.tsx'
import { refreshSecondsOf, sceneOf } from './page-state.ts'
import { Summary } from './summary.tsx'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { MethodDraft } from './method-form.tsx'
import type { AmountDraft } from './phone.tsx'
import type { Scene } from './page-state.ts'

/** [assumed] Long enough to read the receipt. */
const RETURN_SECONDS = 6

/** What the customer typed last, when it was refused, and whether they asked to stay. */
export interface Draft {
  method?: MethodDraft
  amount?: AmountDraft
  stays?: boolean
}

export function page(session: CheckoutSession, timeline: Timeline, draft: Draft): Response {
  const now = timeline.now()
  const scene = sceneOf(session, now)
  const refused = draft.method ?? draft.amount
  const style = countdownStyle(session.expiresAt - now, timeline.speed())
  const amount = display(session.amount, session.service.currency)
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
      const untouched = { method: session.methodCode, msisdn: `+${session.msisdn}`, error: null }
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
      return (
        <Paid
          session={session}
          returnSeconds={draft.stays || session.redirectUrl === null ? null : RETURN_SECONDS}
        />
      )
    case 'given_back':
      return <GivenBack session={session} as={scene.as} />
    case 'expired':
      return <Expired session={session} />
  }
}

/** Scenes that end the checkout carry the way back as their own button. */
function BackLink({ session, scene }: { session: CheckoutSession; scene: Scene }) {
  if (scene.kind === 'paid' || scene.kind === 'given_back' || scene.kind === 'expired') return null
  return <BackToShop session={session} class="back" />
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
  if (scene.kind === 'paid') {
    const stays = draft.stays || session.redirectUrl === null
    return stays ? null : `${RETURN_SECONDS};url=${new URL(session.redirectUrl).href}`
  }
  const seconds = refreshSecondsOf(scene, timeline.now(), timeline.speed())
  return seconds === null ? null : String(seconds)
}
