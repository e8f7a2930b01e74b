// The hosted page under `/pay`. It uses HTML forms that need no script, so it works in every browser and in-app view.
// Anyone who knows the reference may pay. [spec: Standard checkout flow, 3]

import { GLYPHS } from 'gateway-checkout/words'
import { Hono } from 'hono'
import { languageDetector } from 'hono/language'

import { possibleMsisdn } from '../../../server/contract/fields.ts'
import { Failure } from '../errors/failure.ts'
import { readForm } from '../http/request-body.ts'
import { isOnPhone } from '../merchants/merchant.ts'
import { fits, isPayableAmount } from '../money/amounts.ts'
import { CURRENCIES, toInternational } from '../money/currencies.ts'
import { respondWithDocument } from '../page-document.ts'
import { isScenarioOf } from '../scenarios.ts'
import { playScenario, promptCustomer } from '../sessions/customer.ts'
import { offeredMethodsOf } from '../sessions/session.ts'
import { Icon } from './messages.tsx'
import { pageStateOf } from './page-state.ts'
import { respondWithPage } from './page.tsx'
import { STYLE } from './style.ts'
import { LANGUAGES, sayIn } from './words.ts'

import type { Environment } from '../environment.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Simulation, World } from '../world.ts'
import type { Draft } from './page.tsx'
import type { Context } from 'hono'

type Fields = Readonly<Record<string, string>>

interface Visit {
  world: World
  session: CheckoutSession
  show: (draft?: Draft) => Promise<Response>
  /** Answers a form that no page of the sandbox has sent. */
  refuse: (problem: string) => Promise<Response>
}

export function hostedPageRoutes(simulation: Simulation): Hono {
  const { clock, environment } = simulation
  const pages = new Hono()
  const languages = { supportedLanguages: LANGUAGES, fallbackLanguage: 'en' }
  pages.use(languageDetector({ ...languages, order: ['querystring', 'header'], caches: false }))

  const find = (c: Context): Visit | undefined => {
    for (const world of simulation.worlds()) {
      const session = world.sessionsByReference.get(c.req.param('reference') ?? '')
      if (!session) {
        continue
      }
      if (c.req.query('lang') !== undefined) {
        session.language = c.get('language')
      }

      const language = session.language ?? c.get('language')
      const way = { href: `/pay/${session.reference}`, text: 'Back to the payment' }
      return {
        world,
        session,
        show: (draft = {}) => respondWithPage(session, simulation, language, draft),
        refuse: (problem) => problemPage(environment, { title: problem }, { way }),
      }
    }

    return undefined
  }

  /** Leads nowhere: a customer is known by the session alone, and the portal is the merchant's. */
  const missing = async (c: Context) => {
    const language = c.get('language')
    const problem = (await sayIn(language)).sentence('missing')
    return problemPage(environment, problem, { language, status: 404 })
  }

  /** Serves a form. If `submit` returns no response, the customer sees the page as it is then. */
  const addForm = (name: string, submit: (visit: Visit, form: Fields) => Promise<Response> | null) =>
    pages.post(`/:reference/${name}`, async (c) => {
      const visit = find(c)
      if (!visit) {
        return missing(c)
      }

      const form = await readForm(c.req.raw)
      if (form instanceof Failure) {
        return visit.refuse(form.message)
      }
      return (await submit(visit, form)) ?? c.redirect(`/pay/${visit.session.reference}`, 303)
    })

  pages.get('/:reference', (c) => find(c)?.show({ stays: c.req.query('stay') !== undefined }) ?? missing(c))

  addForm('prompt', ({ world, session, show, refuse }, form) => {
    const method = offeredMethodsOf(session).find(({ code }) => code === form['method'])
    if (!method) {
      return refuse('This way to pay does not exist.')
    }

    const typed = isOnPhone(method.code) ? (form['msisdn'] ?? '') : session.msisdn
    const msisdn = possibleMsisdn.safeParse(toInternational(typed, session.service.country))
    if (!msisdn.success) {
      return show({ prompt: { method: method.code, msisdn: typed } })
    }

    // A refusal (a prompt is open, the session has ended) needs no message: the page shows that state.
    promptCustomer(world, session, { methodCode: method.code, msisdn: msisdn.data })
    return null
  })

  addForm('act', ({ world, session, show, refuse }, form) => {
    const scenario = form['scenario'] ?? ''
    const typed = form['amount']?.trim() || null
    if (!isScenarioOf('checkout')(scenario)) {
      return refuse('This action does not exist.')
    }
    if (pageStateOf(session, clock.now()).kind !== 'prompted') {
      return null
    }

    const showAgain = (amount: string, error: string) => show({ amount: { amount, error } })
    const currency = CURRENCIES[session.service.currency]
    if (typed !== null && !isPayableAmount(typed)) {
      return showAgain(typed, `Enter an amount such as ${fits('99.50', currency) ? '250 or 99.50' : '250'}.`)
    }

    const prompt = { methodCode: session.methodCode, msisdn: session.msisdn }
    const failure = playScenario(world, session, prompt, { scenario, amount: typed })
    return failure && typed !== null ? showAgain(typed, failure.message) : null
  })

  // Other clients get the error of the whole sandbox.
  pages.get('*', (c, next) => (c.req.header('accept')?.includes('text/html') ? missing(c) : next()))

  return pages
}

interface ProblemAnswer {
  /** Where a person goes on, if anywhere. Its words are English, as those of the simulated phone. */
  way?: { href: string; text: string }
  language?: string
  status?: number
}

function problemPage(
  environment: Environment,
  { title, text = '' }: { title: string; text?: string },
  { way, language = 'en', status = 400 }: ProblemAnswer,
) {
  const content = (
    <div class="columns">
      <main>
        <section class="card message">
          <div class="badge" aria-hidden="true">
            <Icon path={GLYPHS.error} />
          </div>
          <h1>{title}</h1>
          {text && <p>{text}</p>}
          {way && (
            <a class="back" href={way.href} lang="en" dir="ltr">
              {way.text}
            </a>
          )}
        </section>
      </main>
    </div>
  )
  return respondWithDocument({ title, environment, language, style: STYLE, content }, status)
}
