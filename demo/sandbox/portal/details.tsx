// The small parts that several pages show: statuses, facts and timelines.

import { addressOf } from './layout.tsx'
import { When } from './when.tsx'
import type { Badge } from './transactions/badge.ts'
import type { Fact } from './transactions/kind.ts'
import type { Moment } from './transactions/moment.ts'

export function Tag({ badge }: { badge: Pick<Badge, 'label' | 'tone'> & Partial<Badge> }) {
  const { label, tone, code = null } = badge
  return (
    <span class={`tag ${tone}`}>
      {label}
      {code === null ? null : <small>{code}</small>}
    </span>
  )
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map((fact) => (
        <div>
          <dt>{fact.label}</dt>
          <dd>
            <FactValue {...fact} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FactValue({ value, as }: Fact) {
  if (as === 'code') return <code>{value}</code>
  return as === 'time' ? <When at={Number(value)} /> : <bdi>{value}</bdi>
}

export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol class="timeline">
      {moments.map(({ at, title, detail, tone, delivery }) => (
        <li class={tone}>
          <When at={at} />
          {delivery === null ? (
            <strong>{title}</strong>
          ) : (
            <a href={addressOf(`/deliveries/${delivery}`)}>{title}</a>
          )}
          {detail === null || detail === '' ? null : (
            <p class="quiet-text">
              <bdi>{detail}</bdi>
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
