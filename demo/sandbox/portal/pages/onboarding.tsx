import { z } from 'zod'
import { STEP_NAMES, STEPS } from '../../onboarding.ts'
import { email, line, ticked } from '../fields.ts'
import { Form, TextField, Tick } from '../form.tsx'
import { form, refused } from '../page.ts'
import { EVERYONE, OWNERS } from '../../accounts/roles.ts'
import type { Answers, Step } from '../../onboarding.ts'
import type { Outcome, Page, PortalForm, Visit } from '../page.ts'

export const onboarding: Page = {
  path: '/onboarding',
  title: 'Onboarding',
  entry: { group: 'Business', label: 'Onboarding' },
  roles: EVERYONE,
  show: (visit) => <Onboarding {...visit} />,
  forms: {
    business: stepForm('business', {
      legal_name: line('Legal name', 100),
      registration_number: line('Registration number', 40),
      country: line('Country', 60),
    }),
    person: stepForm('person', {
      full_name: line('Full name', 100),
      email: email('E-mail address'),
      phone: line('Phone number', 25),
    }),
    bank: stepForm('bank', {
      bank: line('Bank', 100),
      account_name: line('Account name', 100),
      account_number: line('Account number', 40),
    }),
    agreement: stepForm('agreement', {
      signed_by: line('Signed by', 100),
      agreed: ticked('I agree: tick the box to agree.'),
    }),
  },
}

type TextFields = Readonly<Record<string, z.ZodType<string, string>>>

function stepForm(step: Step, fields: TextFields): PortalForm {
  return form(OWNERS, z.object(fields), ({ world }, values): Outcome => {
    const { title, fields: labels } = STEPS[step]
    const [first = step] = Object.keys(labels)
    if (world.onboarding.isComplete())
      return refused(first, `${title}: the onboarding is complete, and its answers can no longer be changed.`)
    const next = world.onboarding.nextStep()
    if (step === 'agreement' && next !== null && next !== step)
      return refused(first, `${title}: complete the step ${STEPS[next].title} first.`)
    const answers = Object.keys(labels).map((name) => [name, String(values[name])] as const)
    world.onboarding.answer(step, Object.fromEntries(answers))
    return {
      notice: world.onboarding.isComplete()
        ? 'Onboarding is complete: payouts are allowed.'
        : `${title}: saved.`,
    }
  })
}

function Onboarding(visit: Visit) {
  const { world, simulation } = visit
  const next = world.onboarding.nextStep()
  const refusedStep = STEP_NAMES.find((step) => Object.keys(visit.form(step).problems).length > 0)
  return (
    <>
      {simulation.environment === 'sandbox' ? (
        <p class="notice">
          Payouts of the sandbox need no onboarding. These are the steps that production asks for: try them
          here.
        </p>
      ) : (
        <p class={next === null ? 'notice good' : 'notice warn'}>
          {next === null
            ? 'Onboarding is complete: payouts are allowed.'
            : 'Payouts are refused with SERVICE_NOT_ALLOWED until all steps are complete.'}
        </p>
      )}
      <ol class="steps">
        {STEP_NAMES.map((step) => (
          <li>
            <StepCard
              visit={visit}
              step={step}
              isOpen={visit.may(OWNERS) && (step === next || step === refusedStep)}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

function StepCard({ visit, step, isOpen }: { visit: Visit; step: Step; isOpen: boolean }) {
  const answers = visit.world.onboarding.answersOf(step)
  const { title, fields } = STEPS[step]
  return (
    <section class="card" aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
        {answers === null ? (
          <span class={isOpen ? 'tag warn' : 'tag'}>{isOpen ? 'Next' : 'To do'}</span>
        ) : (
          <span class="tag good">Done</span>
        )}
      </div>
      {isOpen ? <StepForm visit={visit} step={step} answers={answers} /> : null}
      {answers === null || isOpen ? null : (
        <dl class="facts">
          {Object.entries(fields).map(([name, label]) => (
            <div>
              <dt>{label}</dt>
              <dd>{answers[name]}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function StepForm({ visit, step, answers }: { visit: Visit; step: Step; answers: Answers | null }) {
  const state = visit.form(step)
  const { fields } = STEPS[step]
  return (
    <Form of={state} submit={step === 'agreement' ? 'Agree and complete' : 'Save and continue'}>
      {Object.entries(fields).map(([name, label]) => (
        <TextField
          of={state}
          name={name}
          label={label}
          value={answers?.[name] ?? ''}
          type={name === 'email' ? 'email' : 'text'}
        />
      ))}
      {step === 'agreement' ? (
        <Tick
          of={state}
          name="agreed"
          label="I agree to the terms of the gateway, and what is written above is true"
        />
      ) : null}
    </Form>
  )
}
