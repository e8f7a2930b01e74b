export { b2bPayout, localPayout, transfer } from '../../../server/conformance/requests.ts'
