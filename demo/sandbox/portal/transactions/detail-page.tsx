import { z } from 'zod'
import { messageOf } from '../../wire/failure.ts'
import { Facts, Tag, Timeline } from '../details.tsx'
import { Choice, Form, Tick } from '../form.tsx'
import { addressOf } from '../layout.tsx'
import { Pages, Search } from '../list-controls.tsx'
import { pageOf, readListQuery, ROWS_OF_PAGE } from '../listing.ts'
import { form, refused } from '../page.ts'
import { EVERYONE, FINANCE } from '../../accounts/roles.ts'
import { When } from '../when.tsx'
import type { Page, PortalForm, Visit } from '../page.ts'
import type { Detail, MoneyAction, Part, TransactionPage } from './kind.ts'

const GIVE_BACK = z.object({
  as: z.enum(['refund', 'reverse'], 'How must be a refund or a reversal.'),
  sure: z.literal('on', 'Tick the box: a refund or reversal cannot be undone.'),
})
const RESOLVE = z.object({
  as: z.enum(['resolve_paid', 'resolve_failed'], 'How it ended must be chosen.'),
  sure: z.literal('on', 'Tick the box: the result cannot be undone.'),
})

const DONE = {
  refund: 'The money was refunded.',
  reverse: 'The money was reversed.',
  resolve_paid: 'Resolved: the operator has moved the money.',
  resolve_failed: 'Resolved: the operator has not moved the money.',
} as const satisfies Record<MoneyAction, string>

/** Returns the page of one transaction, with the forms that move its money. */
export function detailPage<T>(page: TransactionPage<T>): Page {
  return {
    path: page.path,
    title: page.title,
    roles: EVERYONE,
    show(visit) {
      const transaction = page.find(visit.world, visit.params)
      if (transaction === undefined) return null
      const { search } = readListQuery(Object.fromEntries(visit.query))
      const detail = page.detailOf(visit.world, transaction, search)
      return <Transaction detail={detail} mayMove={page.act !== null} visit={visit} />
    },
    forms: page.act === null ? {} : formsOf(page, page.act),
  }
}

function formsOf<T>(
  page: TransactionPage<T>,
  move: NonNullable<TransactionPage<T>['act']>,
): Record<string, PortalForm> {
  const act = ({ world, params }: Visit, { as }: { as: MoneyAction }) => {
    const transaction = page.find(world, params)
    if (transaction === undefined) return refused('as', 'The transaction does not exist any more.')
    const failure = move(world, transaction, as)
    return failure === null ? { notice: DONE[as] } : refused('as', messageOf(failure))
  }
  return {
    'give-back': form(FINANCE, GIVE_BACK, act),
    resolve: form(FINANCE, RESOLVE, act),
  }
}

interface TransactionProps {
  detail: Detail
  mayMove: boolean
  visit: Visit
}

function Transaction({ detail, mayMove, visit }: TransactionProps) {
  const { row, result, facts, parts, moments, isSettled } = detail
  return (
    <div class="columns">
      <div class="stack" data-live={isSettled ? undefined : ''}>
        <section class="card">
          <div class="head">
            <p class="amount">{row.amount}</p>
            <Tag badge={row.badge} />
          </div>
          <p>
            <bdi>{row.party}</bdi>
            {row.about === result ? null : (
              <>
                {' · '}
                <bdi>{row.about}</bdi>
              </>
            )}
          </p>
          {result === null ? null : <p class="result">{result}</p>}
        </section>
        {parts === null ? null : <Parts {...parts} path={row.path} visit={visit} />}
        <section class="card">
          <h2>Timeline</h2>
          <Timeline moments={moments} />
        </section>
      </div>
      <div class="stack">
        {mayMove ? (
          <>
            <Resolve detail={detail} visit={visit} />
            <GiveBack detail={detail} visit={visit} />
          </>
        ) : null}
        <section class="card">
          <h2>Details</h2>
          <Facts facts={facts} />
        </section>
      </div>
    </div>
  )
}

// The forms that move the money of a transaction. Each is shown to the roles that may send it, and while it is possible.

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

type PartsProps = NonNullable<Detail['parts']> & { path: string; visit: Visit }

function Parts({ title, empty, rows, path, visit }: PartsProps) {
  const query = { ...readListQuery(Object.fromEntries(visit.query)), status: '' }
  const listing = pageOf(rows, query.page)
  const isLong = rows.length > ROWS_OF_PAGE
  return (
    <section class="card">
      <h2>{title}</h2>
      {isLong || query.search !== '' ? <Search path={path} query={query} hint="Phone or receipt" /> : null}
      {rows.length === 0 ? <p class="empty">{empty}</p> : null}
      <ul class="parts">
        {listing.rows.map((part) => (
          <PartRow {...part} />
        ))}
      </ul>
      {isLong ? <Pages path={path} query={query} listing={listing} /> : null}
    </section>
  )
}

function PartRow({ title, path, detail, amount, badge, at }: Part) {
  return (
    <li>
      <div class="head">
        {path === null ? <strong>{title}</strong> : <a href={addressOf(path)}>{title}</a>}
        <Tag badge={badge} />
      </div>
      <p>{amount}</p>
      <p class="quiet-text">
        <bdi>{detail}</bdi>
        {' · '}
        <When at={at} />
      </p>
    </li>
  )
}
