/** The gateway at the end of the wire: a client whose calls change the truth, and are answered as it allows. */

import { AirtimeEntry } from '../../server/contract/airtime.ts'
import { B2bResult, PayoutResult } from '../../server/contract/payout.ts'
import { CHECKOUT_CODE, PAYMENT_STATUS } from '../../server/contract/status.ts'
import { GatewayError, GatewayRefusal } from '../../server/gateway/errors.ts'
import { LAST_QUERY_AFTER_MS } from '../../server/transactions/schedule.ts'
import {
  AIRTIME_CODES,
  codeAnswers,
  everyCode,
  nameOf,
  payInAnswers,
  paymentIdOf,
  payloadOf,
  PAYOUT_CODES,
  WITHOUT_MONEY,
} from './answers.ts'
import { classesOfLies, LIES } from './lies.ts'
import { withTrouble } from './state.ts'
import { arrived, decided, isHeld, LAG_MS } from './truth.ts'

import type { AirtimeRequest } from '../../server/contract/airtime.ts'
import type { ChargeRequest } from '../../server/contract/charge.ts'
import type { InitiateRequest } from '../../server/contract/checkout.ts'
import type { GatewayClient } from '../../server/gateway/client.ts'
import type { OnDate } from '../../server/gateway/gateway-clock.ts'
import type { Breadth, PayInReport, StatusOption } from './answers.ts'
import type { Chooser } from './choice.ts'
import type { State, Trouble } from './state.ts'
import type { Thing } from './truth.ts'

const SILENCE = new GatewayError('gateway_timeout', 'The gateway is silent.')
const NOT_REACHED = new GatewayError('gateway_unreachable', 'Nothing listens.', { isUnsent: true })
const refusalOf = (status_code: number) =>
  new GatewayRefusal('the request', { status_code, status_description: '', message: '' })
const REFUSED_AS_WRONG = refusalOf(CHECKOUT_CODE.invalidMsisdn)
const FAILED = refusalOf(CHECKOUT_CODE.failure)

/** What a request to create something is answered, and whether it arrived. */
interface SendOption {
  name: string
  arrives: boolean
  answer: 'yes' | 'wrong' | 'no' | 'silence' | 'not reached'
  /** What happens between the arrival and the answer. */
  meanwhile?: 'a query' | 'the store goes away'
}

const ACCEPTED: SendOption = { name: 'accepted', arrives: true, answer: 'yes' }
/** The request itself is wrong, such as its phone number: it never arrives. */
const WRONG: SendOption = { name: 'refused as wrong', arrives: false, answer: 'wrong' }
const LOST: SendOption = { name: 'silence, it is lost', arrives: false, answer: 'silence' }
const ARRIVED: SendOption = { name: 'silence, it arrived', arrives: true, answer: 'silence' }
const UNREACHED: SendOption = { name: 'nothing listens', arrives: false, answer: 'not reached' }
const SENDS: readonly SendOption[] = [
  ACCEPTED,
  WRONG,
  ARRIVED,
  LOST,
  UNREACHED,
  { name: 'failed', arrives: false, answer: 'no' },
  { name: 'failed, it arrived', arrives: true, answer: 'no' },
]
const MORE_SENDS: readonly SendOption[] = [
  ...SENDS,
  { name: 'accepted, after a query', arrives: true, answer: 'yes', meanwhile: 'a query' },
  { name: 'accepted, and the store is away', arrives: true, answer: 'yes', meanwhile: 'the store goes away' },
]

function sendsOf(breadth: Breadth, isNested: boolean): readonly SendOption[] {
  switch (breadth) {
    case 'first':
      return [ACCEPTED]
    case 'up to date':
    case 'not silent':
      return [ACCEPTED, WRONG]
    case 'classes':
    case 'all':
      return isNested ? SENDS : MORE_SENDS
  }
}

/** What a decision is answered. If the gateway takes it once, its answer may also be lost, however few are tried. */
function decisionsOf({ takesOnce, breadth }: Manner): readonly SendOption[] {
  return takesOnce ? [ACCEPTED, ARRIVED, UNREACHED] : sendsOf(breadth, true)
}

/** How the gateway of a story behaves. */
export interface Manner {
  breadth: Breadth
  /** Whether the gateway finds a charge only by its own id. */
  isById: boolean
  /** Whether a query may be answered with 120 once, long after the arrival. */
  isWrongOnce: boolean
  /** Whether the decisions about the service never arrive. */
  losesDecisions: boolean
  /** Whether the gateway refuses a decision that it has taken before. */
  takesOnce: boolean
  /** Whether the gateway reports the events of one payment as payments. */
  listsEvents: boolean
  /** Whether the gateway may leave money out that it has reported before. */
  leavesOut: boolean
  /** Whether the gateway reports what is not true. */
  lies: boolean
}

export const HONEST: Manner = {
  breadth: 'first',
  isById: false,
  isWrongOnce: false,
  losesDecisions: false,
  takesOnce: false,
  listsEvents: false,
  leavesOut: false,
  lies: false,
}

/** How the server is told when the gateway answered. */
type Dates = { onDate?: OnDate }

interface Step {
  state: State
  chooser: Chooser
  manner: Manner
  /** Makes another server query the status of what is being sent. */
  queryMeanwhile: (reference: string) => Promise<void>
  /** Makes the next commit fail. */
  sendStoreAway: () => void
}

export class Gateway {
  #step: Step | null = null
  #isNested = false
  #isThrownAway = false
  #lieClasses: readonly PayInReport[] | null = null

  begin(step: Step): void {
    this.#step = step
    this.#isNested = false
    this.#isThrownAway = false
  }

  get state(): State {
    return this.#now.state
  }

  set state(state: State) {
    this.#now.state = state
  }

  /** The calls of the server's client. */
  clientOf(isById: boolean): GatewayClient {
    const payouts = {
      initiatePayout: async (body: { payout_reference: string }) => this.#payOut(body),
      initiateTransfer: async (body: { payout_reference: string }) => this.#payOut(body),
      initiateB2b: async (body: { payout_reference: string }) => this.#payOut(body),
      getPayoutStatus: async (reference: string) => this.#payoutStatus(reference, localResult),
      getB2bStatus: async (reference: string) => this.#payoutStatus(reference, b2bResult),
    }
    const client = {
      authenticate: async () => {},
      isAuthenticated: () => true,
      initiateCheckout: (request: InitiateRequest, dates: Dates) =>
        this.#dated(dates, () => this.#openPage(request)),
      getCheckoutStatus: (reference: string, dates: Dates) =>
        this.#dated(dates, async () => this.#payInStatus(reference, 'checkout', false)),
      postCharge: (request: ChargeRequest, dates: Dates) => this.#dated(dates, () => this.#charge(request)),
      chargeStatusKey: isById ? 'charge_request_id' : 'external_reference',
      getChargeStatus: (reference: string, dates: Dates) =>
        this.#dated(dates, async () => this.#payInStatus(reference, 'charge', isById)),
      confirmService: async (decision: { payment_id: string; status: string }) => this.#confirm(decision),
      ...payouts,
      sendAirtime: async (request: AirtimeRequest) => this.#sendAirtime(request),
      getAirtimeStatus: async (reference: string) => this.#airtimeStatus(reference),
    }
    // The rules call no other method of the client.
    return client as unknown as GatewayClient
  }

  /** Answers with a `Date`. */
  async #dated<Answer>({ onDate }: Dates, answer: () => Promise<Answer>): Promise<Answer> {
    const answered = await answer()
    onDate?.(this.state.now)
    return answered
  }

  async #openPage({ merchant_transaction_id: reference, amount }: InitiateRequest) {
    await this.#send({ reference, amount: String(amount), isPrompt: false, chapter: 'checkout' }, false)
    const thing = this.#reach(reference)
    return {
      merchant_transaction_id: reference,
      checkout_reference: `session of ${reference}`,
      redirect_url: `https://gateway.example/pay/${reference}`,
      expires_at: iso(thing?.expiresAt ?? 0),
      currency: 'KES',
      amount: String(amount),
    }
  }

  async #charge({ external_reference: reference, payment_method_code, amount }: ChargeRequest) {
    const isPrompt = payment_method_code !== undefined
    await this.#send({ reference, amount: String(amount), isPrompt, chapter: 'charge' }, true)
    const thing = this.#reach(reference)
    return {
      status_code: 176,
      status_description: '',
      charge_request_id: `charge ${reference}`,
      external_reference: reference,
      total_amount: String(amount),
      currency_code: 'KES',
      redirect_url: isPrompt ? null : `https://gateway.example/pay/${reference}`,
      auth_url: null,
      html: null,
      expires_at: iso(thing?.expiresAt ?? 0),
    }
  }

  async #payOut({ payout_reference }: { payout_reference: string }) {
    const known = this.#find(payout_reference)
    const answer = { payout_reference, response_description: '', error_code: null }
    try {
      await this.#send(
        { reference: payout_reference, amount: '1000', isPrompt: false, chapter: 'payout' },
        false,
      )
      return { ...answer, response_code: known ? 722 : 720 }
    } catch (error) {
      if (error === SILENCE || error === NOT_REACHED) {
        throw error
      }

      const error_code = error === FAILED ? 'FAILED' : 'INVALID_PHONE_NUMBER'
      return { ...answer, response_code: 721, error_code }
    }
  }

  async #sendAirtime({ reference }: AirtimeRequest) {
    try {
      await this.#send({ reference, amount: '100', isPrompt: false, chapter: 'airtime' }, true)
      return { reference, response_code: 720, response_description: '' }
    } catch (error) {
      if (error === SILENCE || error === NOT_REACHED) {
        throw error
      }
      return { reference, response_code: 721, response_description: '' }
    }
  }

  /** Resolves if the request is accepted. `isOnce`: another request with the reference creates another thing. */
  async #send(sent: Parameters<typeof arrived>[0], isOnce: boolean): Promise<void> {
    const { reference } = sent
    const { chooser, manner } = this.#now
    const known = this.#find(reference)
    // What the gateway has was no wrong request.
    const options = sendsOf(manner.breadth, this.#isNested).filter(
      (each) => !known || manner.lies || each !== WRONG,
    )
    const option = chooser.pick(options)
    if (option.arrives && !known) {
      this.#put(arrived(sent, this.state.now))
    }
    if (option.arrives && known && isOnce) {
      this.#put({ ...arrived(sent, this.state.now), arrivals: known.arrivals + 1 })
    }
    if (option.answer === 'silence') {
      this.#trouble('an answer was lost')
      throw SILENCE
    }
    if (option.answer === 'not reached') {
      throw NOT_REACHED
    }
    if (option.answer === 'wrong' && known) {
      this.#trouble('the gateway lies')
    }
    if (option.answer === 'wrong') {
      throw REFUSED_AS_WRONG
    }
    if (option.answer === 'no') {
      if (option.arrives || known) {
        this.#trouble('a refusal followed an arrival')
      }
      // Nobody can ask whether it did.
      if (manner.isById) {
        this.#trouble('an answer was lost')
      }
      throw FAILED
    }
    if (option.meanwhile === 'a query') {
      await this.#nest(() => this.#now.queryMeanwhile(reference))
    }
    if (option.meanwhile === 'the store goes away') {
      this.#trouble('an answer was lost')
      this.#isThrownAway = true
      this.#now.sendStoreAway()
    }
  }

  async #nest(work: () => Promise<void>): Promise<void> {
    this.#isNested = true
    await work()
    this.#isNested = false
  }

  /** The address of the page arrives at the server, unless the store is away. */
  #reach(reference: string): Thing | undefined {
    const thing = this.#find(reference)
    if (thing && !this.#isThrownAway) {
      this.#put({ ...thing, isReachable: true })
    }
    return thing
  }

  #payInStatus(reference: string, chapter: Thing['chapter'], isById: boolean) {
    const found = this.#find(reference)
    const thing = found?.chapter === chapter ? found : undefined
    const { manner } = this.#now
    const option = this.#pickStatus<PayInReport>(thing, [
      ...payInAnswers(thing, this.state.now, manner),
      ...this.#withoutMoney(thing),
      ...this.#lies(),
    ])
    if (!thing || option.kind !== 'report') {
      return null
    }
    if (
      manner.leavesOut &&
      option.report.payments.some(({ status }) => status === PAYMENT_STATUS.successful)
    ) {
      this.#put({ ...thing, isShown: true })
    }
    return payloadOf(thing, option.report, isById)
  }

  #withoutMoney(thing: Thing | undefined): readonly StatusOption<PayInReport>[] {
    const { leavesOut, breadth } = this.#now.manner
    if (!leavesOut || breadth === 'first' || !thing?.isShown || !isHeld(thing)) {
      return []
    }
    return WITHOUT_MONEY.map((report) => {
      return { name: `money left out: ${nameOf(report)}`, kind: 'report', report }
    })
  }

  #lies(): readonly StatusOption<PayInReport>[] {
    const { lies, breadth } = this.#now.manner
    if (!lies || breadth === 'first' || this.#isLate()) {
      return []
    }

    const reports = breadth === 'all' ? LIES : (this.#lieClasses ??= classesOfLies())
    return reports.map((report) => ({ name: `a lie: ${nameOf(report)}`, kind: 'report', report }))
  }

  /** Returns whether nobody asks any more: what was a lie until then is never found out. */
  #isLate(): boolean {
    return this.state.things.some(({ arrivedAt }) => this.state.now - arrivedAt >= LAST_QUERY_AFTER_MS)
  }

  #payoutStatus<Result>(reference: string, resultOf: (reference: string, code: number) => Result) {
    const thing = this.#find(reference)
    const option = this.#pickStatus<number>(thing, this.#codes(thing, PAYOUT_CODES))
    return option.kind === 'report' ? resultOf(reference, option.report) : null
  }

  #codes(thing: Thing | undefined, codes: typeof PAYOUT_CODES): readonly StatusOption<number>[] {
    const { breadth, lies } = this.#now.manner
    const options = codeAnswers(thing, this.state.now, breadth, codes)
    if (!lies || breadth === 'first' || this.#isLate()) {
      return options
    }

    const wrong = everyCode(codes).map(
      (report) => ({ name: `a lie: ${report}`, kind: 'report', report }) as const,
    )
    return [...options, ...wrong]
  }

  #airtimeStatus(reference: string) {
    const thing = this.#find(reference)
    const option = this.#pickStatus<number>(thing, this.#codes(thing, AIRTIME_CODES))
    return option.kind === 'report' ? [airtimeEntry(reference, option.report)] : null
  }

  #pickStatus<Report>(
    thing: Thing | undefined,
    options: readonly StatusOption<Report>[],
  ): StatusOption<Report> {
    const { chooser, manner } = this.#now
    const { now, troubles } = this.state
    const isWrong = manner.isWrongOnce && !troubles.includes('a wrong 120') && manner.breadth !== 'first'
    const isLater = thing !== undefined && now - thing.arrivedAt >= LAG_MS
    const wrong = { name: 'a wrong 120', kind: 'unknown' } as const
    const option = chooser.pick(isWrong && isLater ? [...options, wrong] : options)
    if (option === wrong) {
      this.#trouble('a wrong 120')
    }
    if (option.name.startsWith('money left out')) {
      this.#trouble('the gateway leaves money out')
    }
    if (option.name.startsWith('a lie')) {
      this.#trouble('the gateway lies')
    }
    if (option.kind === 'silence') {
      throw SILENCE
    }
    return option
  }

  #confirm({ payment_id, status }: { payment_id: string; status: string }) {
    const { chooser, manner } = this.#now
    const thing = this.state.things.find(({ reference }) => payment_id.endsWith(reference))
    const isOtherwise = thing?.decisions.some((each) => each !== status) ?? false
    // A payment that went back before it was confirmed is not confirmed any more.
    const isEarlier = thing !== undefined && thing.isPaidAgain && payment_id === paymentIdOf(thing, 0)
    const isGone = isEarlier || (thing?.decisions.length === 0 && !isHeld(thing))
    const isRepeated = manner.takesOnce && (thing?.decisions.length ?? 0) > 0
    const options = manner.losesDecisions
      ? [LOST]
      : isOtherwise || isGone || isRepeated
        ? [WRONG, LOST]
        : decisionsOf(manner)
    const { arrives, answer } = chooser.pick(options)
    if (arrives && answer === 'no') {
      this.#trouble('a refusal followed an arrival')
    }
    if (thing && !isEarlier) {
      const asked = { ...thing, sent: [...new Set([...thing.sent, status])] }
      const isFirst = arrives && thing.decisions.length === 0
      this.#put(isFirst ? decided(asked, status, this.state.now) : asked)
    }
    if (answer !== 'yes') {
      this.#trouble('the decision does not arrive')
    }
    if (answer === 'silence') {
      throw SILENCE
    }
    if (answer === 'not reached') {
      throw NOT_REACHED
    }
    if (answer !== 'yes') {
      throw FAILED
    }
    return { payment_id, message: null }
  }

  #find(reference: string): Thing | undefined {
    return this.state.things.find((thing) => thing.reference === reference)
  }

  #put(thing: Thing): void {
    const { things } = this.state
    const isKnown = things.some(({ reference }) => reference === thing.reference)
    const next = things.map((each) => (each.reference === thing.reference ? thing : each))
    this.state = { ...this.state, things: isKnown ? next : [...things, thing] }
  }

  #trouble(trouble: Trouble): void {
    this.state = withTrouble(this.state, trouble)
  }

  get #now(): Step {
    if (!this.#step) {
      throw new Error('No step has begun.')
    }
    return this.#step
  }
}

const iso = (at: number) => new Date(at).toISOString()

const results = new Map<string, unknown>()

function once<Result>(name: string, make: () => Result): Result {
  if (!results.has(name)) {
    results.set(name, make())
  }
  // Only `make` of the same name makes what is stored under it.
  return results.get(name) as Result
}

function localResult(payout_reference: string, payment_status: number) {
  return once(`local ${payout_reference} ${payment_status}`, () =>
    PayoutResult.parse({
      payout_reference,
      destination: 'MOBILE',
      data: { payment_status, amount: '1000', currency: 'KES', recipient_phone_number: '254700000001' },
    }),
  )
}

function b2bResult(payout_reference: string, payment_status: number) {
  return once(`b2b ${payout_reference} ${payment_status}`, () =>
    B2bResult.parse({
      payout_reference,
      payment_status,
      amount: '1000',
      currency: 'KES',
      destination: 'PAYBILL',
    }),
  )
}

function airtimeEntry(external_reference: string, service_status: number) {
  return once(`airtime ${external_reference} ${service_status}`, () =>
    AirtimeEntry.parse({ external_reference, service_status, phone_number: '254700000001', amount: '100' }),
  )
}
