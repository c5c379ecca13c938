// Every route of the product by feature; what is not listed here does not exist.
import { emailRoutes } from './auth/email-contract.ts'
import { brokerRoutes } from './brokers/contract.ts'
import { factorRoutes } from './factors/contract.ts'
import { firstLoadApi } from './first-load-api.ts'
import { udfKeyedRoutes } from './udf/contract.ts'
import { udfKeyRoutes } from './udf/key-contract.ts'

export const api = {
  ...firstLoadApi,
  brokers: brokerRoutes,
  email: emailRoutes,
  factors: factorRoutes,
  udfKeyed: udfKeyedRoutes,
  udfKeys: udfKeyRoutes,
} as const
