// The forms that move the money of a transaction. Each is shown to the roles that may send it, and while it is possible.

import { Choice, Form, TextField, Tick } from '../form.tsx'
import { DEVELOPERS, FINANCE } from '../roles.ts'
import type { Visit } from '../page.ts'
import type { Detail } from './kind.ts'

interface MoveProps {
  detail: Detail
  visit: Visit
}

export function GiveBack({ detail, visit }: MoveProps) {
  const form = visit.form('give-back')
  const isRefused = Object.keys(form.problems).length > 0
  if (!visit.may(FINANCE) || (!detail.actions.includes('refund') && !isRefused)) return null
  return (
    <details class="card" open={isRefused}>
      <summary>Refund or reverse</summary>
      <Form of={form} submit="Give the money back" button="danger">
        <Choice
          of={form}
          name="as"
          label="How"
          choices={{
            refund: 'Refund: goods or service were not delivered',
            reverse: 'Reversal: it should not have happened',
          }}
        />
        <Tick of={form} name="sure" label={`Yes, give all of it back: ${detail.row.party}`} />
      </Form>
    </details>
  )
}

export function Resolve({ detail, visit }: MoveProps) {
  const form = visit.form('resolve')
  const isRefused = Object.keys(form.problems).length > 0
  const isJammed = detail.actions.includes('resolve_paid')
  if (!isJammed && !isRefused) return null
  return (
    <section class="card">
      <h2>Stuck at the operator</h2>
      {visit.may(FINANCE) ? (
        <>
          <p>Ask the operator what became of it, and record the answer here.</p>
          <Form of={form} submit="Record the result">
            <Choice
              of={form}
              name="as"
              label="How it ended"
              choices={{
                '': 'Choose…',
                resolve_paid: 'The operator has moved the money',
                resolve_failed: 'The operator has not moved the money',
              }}
            />
            <Tick of={form} name="sure" label="Yes, the operator confirmed this" />
          </Form>
        </>
      ) : (
        <p>Somebody with the role finance or owner can record how it ended.</p>
      )}
    </section>
  )
}

interface SimulateProps {
  scenarios: Readonly<Record<string, string>>
  hasAmount: boolean
  visit: Visit
}

export function Simulate({ scenarios, hasAmount, visit }: SimulateProps) {
  const form = visit.form('simulate')
  if (!visit.may(DEVELOPERS) || visit.simulation.environment !== 'sandbox') return null
  return (
    <details class="card" open={Object.keys(form.problems).length > 0}>
      <summary>Simulate a result</summary>
      <Form of={form} submit="Play the scenario" button="quiet">
        <Choice of={form} name="scenario" label="Scenario" choices={scenarios} />
        {hasAmount ? (
          <TextField
            of={form}
            name="amount"
            label="Amount"
            hint="Only for partial and overpay; empty for the usual amount."
            inputmode="decimal"
            optional
          />
        ) : null}
      </Form>
    </details>
  )
}
