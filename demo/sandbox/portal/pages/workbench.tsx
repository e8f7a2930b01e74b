// What `/_sandbox` does, with forms. The look-alike of production has none of it.

import { listScenarios } from '../../scenarios.ts'
import { MAX_ADVANCE_SECONDS, MAX_SPEED } from '../../timeline/limits.ts'
import { Choice, Form, TextField, Tick } from '../form.tsx'
import { DEVELOPERS } from '../roles.ts'
import { FAULTS, WORKBENCH_FORMS } from './workbench-forms.ts'
import { When } from '../when.tsx'
import type { Scenario } from '../../scenarios.ts'
import type { FaultRequest } from '../../wire/faults.ts'
import type { FormState } from '../form.tsx'
import type { Page, Visit } from '../page.ts'
import type { Roles } from '../roles.ts'

/** The roles that see the workbench. */
export const WORKBENCH: Roles = ['owner', 'developer', 'viewer']

export const workbench: Page = {
  path: '/workbench',
  title: 'Workbench',
  entry: { group: 'Developers', label: 'Workbench' },
  roles: WORKBENCH,
  only: 'sandbox',
  show: (visit) => (
    <>
      <div class="columns">
        <div class="stack">
          <Clock {...visit} />
          <Faults {...visit} />
        </div>
        <div class="stack">
          <Plan {...visit} />
          <Reset {...visit} />
        </div>
      </div>
      <Scenarios />
    </>
  ),
  forms: WORKBENCH_FORMS,
}

function Clock(visit: Visit) {
  const { simulation, now } = visit
  const speed = simulation.timeline.speed()
  return (
    <section class="card">
      <h2>Clock</h2>
      <p class="amount" data-live>
        <When at={now} />
      </p>
      <p>
        UTC,{' '}
        {speed === 0
          ? 'standing still'
          : speed === 1
            ? 'in real time'
            : `${speed} times as fast as real time`}
        . Sessions, tokens, rates and retries follow this clock.
      </p>
      {visit.may(DEVELOPERS) ? (
        <>
          <Form of={visit.form('advance')} submit="Move ahead" button="quiet">
            <TextField
              of={visit.form('advance')}
              name="seconds"
              label="Seconds"
              value="3600"
              inputmode="numeric"
              hint={`A minute is 60, an hour 3600, a day 86400; at most ${MAX_ADVANCE_SECONDS}. What becomes due runs.`}
            />
          </Form>
          <Form of={visit.form('speed')} submit="Set the speed" button="quiet">
            <TextField
              of={visit.form('speed')}
              name="speed"
              label="Speed"
              value={String(speed)}
              inputmode="decimal"
              hint={`Sandbox seconds per real second, at most ${MAX_SPEED}; 0 stops the clock.`}
            />
          </Form>
        </>
      ) : null}
    </section>
  )
}

function Faults(visit: Visit) {
  const active = visit.world.faults.list()
  const fault = visit.form('fault')
  return (
    <section class="card">
      <div class="head">
        <h2>Faults</h2>
        {active.length > 0 && visit.may(DEVELOPERS) ? (
          <Form of={visit.form('clear-faults')} submit="Clear all" button="quiet" />
        ) : null}
      </div>
      {active.length === 0 ? <p>None: every request and callback is treated as it should be.</p> : null}
      <ul class="parts">
        {active.map((each) => (
          <li>
            <strong>{FAULTS[each.fault]}</strong>
            <p class="quiet-text">
              {rangeOf(each)} <code>{each.route}</code>
            </p>
          </li>
        ))}
      </ul>
      {visit.may(DEVELOPERS) ? <AddFault {...fault} /> : null}
    </section>
  )
}

function AddFault(fault: FormState) {
  return (
    <details open={Object.keys(fault.problems).length > 0}>
      <summary>Add a fault</summary>
      <Form of={fault} submit="Add the fault" button="quiet">
        <Choice of={fault} name="fault" label="Fault" choices={FAULTS} />
        <TextField
          of={fault}
          name="route"
          label="Route"
          value="*"
          hint="A path with all paths below it, or *; of a callback, the path of its URL."
        />
        <TextField
          of={fault}
          name="ms"
          label="Milliseconds"
          hint="For delays."
          inputmode="numeric"
          optional
        />
        <TextField
          of={fault}
          name="status"
          label="Status"
          hint="For error statuses: 400 to 599."
          inputmode="numeric"
          optional
        />
        <TextField
          of={fault}
          name="next"
          label="Next"
          hint="How many requests or callbacks it strikes; 1 if empty."
          inputmode="numeric"
          optional
        />
        <TextField
          of={fault}
          name="probability"
          label="Probability"
          hint="Instead of Next: 0.1 strikes one in ten."
          inputmode="decimal"
          optional
        />
      </Form>
    </details>
  )
}

function rangeOf(fault: FaultRequest): string {
  const size = 'ms' in fault ? `${fault.ms} ms, ` : 'status' in fault ? `${fault.status}, ` : ''
  const { next, probability } = fault
  return probability === undefined
    ? `${size}the next ${next ?? 1} of`
    : `${size}with probability ${probability}, of`
}

function Plan(visit: Visit) {
  const plan = visit.form('plan')
  const choices = Object.fromEntries(
    listScenarios()
      .filter((scenario: Scenario) => scenario.payout !== undefined)
      .map(({ name, does }) => [name, `${does} (${name})`]),
  )
  if (!visit.may(DEVELOPERS)) return null
  return (
    <section class="card">
      <h2>Result of a future payout</h2>
      <p>{`${visit.world.plannedScenarios.size} planned. The scenario is used when a payout with this reference arrives.`}</p>
      <Form of={plan} submit="Plan the result" button="quiet">
        <TextField
          of={plan}
          name="payout_reference"
          label="Reference"
          hint="The payout_reference of the request."
        />
        <Choice of={plan} name="scenario" label="Scenario" choices={choices} />
      </Form>
    </section>
  )
}

function Reset(visit: Visit) {
  const reset = visit.form('reset')
  if (!visit.may(DEVELOPERS)) return null
  return (
    <details class="card" open={Object.keys(reset.problems).length > 0}>
      <summary>Start afresh</summary>
      <Form of={reset} submit="Replace everything" button="danger">
        <Tick
          of={reset}
          name="sure"
          label="Yes, forget all transactions, keys and users"
          hint="The clock keeps its time. Everybody is signed out."
        />
      </Form>
    </details>
  )
}

const KINDS = { checkout: 'payments and charges', payout: 'payouts', airtime: 'airtime' } as const

function Scenarios() {
  return (
    <section class="card">
      <h2>Scenarios and magic numbers</h2>
      <p>
        A phone or account number that ends with these digits selects the scenario. All other numbers succeed.
        The page of a transaction plays them, too.
      </p>
      <ul class="scenarios">
        {listScenarios().map((scenario: Scenario & { name: string }) => (
          <li>
            <code>{`…${scenario.digits}`}</code>
            <div>
              <strong>{scenario.does}</strong>
              <p class="quiet-text">{`${scenario.name}: ${kindsOf(scenario).join(', ')}`}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function kindsOf(scenario: Scenario): string[] {
  const { checkout, payout, airtime } = scenario
  return Object.entries({ checkout, payout, airtime })
    .filter(([, effect]) => effect !== undefined)
    .map(([kind]) => (kind === 'checkout' || kind === 'payout' || kind === 'airtime' ? KINDS[kind] : kind))
}
