import { expect, test } from 'vitest'
import { createSyncRequests, SYNC_PAUSE_MS } from '../../server/transactions/sync-requests.ts'

const NOW = Date.UTC(2026, 10, 21, 9)

test('the first requested query starts at once, the next a second later', () => {
  const requests = createSyncRequests()
  expect(requests.earliest('a', NOW)).toBe(NOW)
  requests.startRequested('a', NOW)
  expect(requests.earliest('a', NOW)).toBe(NOW + SYNC_PAUSE_MS)
  expect(requests.earliest('a', NOW + 400)).toBe(NOW + SYNC_PAUSE_MS)
  expect(requests.earliest('a', NOW + 5_000)).toBe(NOW + 5_000)
  expect(requests.earliest('b', NOW)).toBe(NOW)
})

test('a start in the future is treated as no start: the clock jumped back', () => {
  const requests = createSyncRequests()
  requests.startRequested('a', NOW + 60_000)
  expect(requests.earliest('a', NOW)).toBe(NOW)
})

test('a query is scheduled until its time has come', () => {
  const requests = createSyncRequests()
  expect(requests.isScheduled('a', NOW)).toBe(false)
  requests.schedule('a', NOW + 1)
  expect(requests.isScheduled('a', NOW)).toBe(true)
  expect(requests.isScheduled('b', NOW)).toBe(false)
  expect(requests.isScheduled('a', NOW + 1)).toBe(false)
})

test('a schedule further away than the pause does not count: the clock jumped back', () => {
  const requests = createSyncRequests()
  requests.schedule('a', NOW + SYNC_PAUSE_MS)
  expect(requests.isScheduled('a', NOW)).toBe(true)
  expect(requests.isScheduled('a', NOW - 1)).toBe(false)
})

test('a poll answers what was scheduled, and does not delay the next request', () => {
  const requests = createSyncRequests()
  requests.schedule('a', NOW + 500)
  requests.startPoll('a')
  expect(requests.isScheduled('a', NOW)).toBe(false)
  expect(requests.earliest('a', NOW)).toBe(NOW)
})

test('a requested query answers what was scheduled', () => {
  const requests = createSyncRequests()
  requests.schedule('a', NOW + 500)
  requests.startRequested('a', NOW)
  expect(requests.isScheduled('a', NOW)).toBe(false)
})

test('ten thousand transactions are remembered, and then none but the newest', () => {
  const requests = createSyncRequests()
  for (let n = 1; n <= 10_000; n++) requests.startRequested(`a-${n}`, NOW)
  expect(requests.earliest('a-1', NOW)).toBe(NOW + SYNC_PAUSE_MS)
  requests.startRequested('another', NOW)
  expect(requests.earliest('a-1', NOW)).toBe(NOW)
  expect(requests.earliest('another', NOW)).toBe(NOW + SYNC_PAUSE_MS)
})
