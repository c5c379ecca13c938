// Path and limits of error reports, separate so that the browser's reporter does not load zod.

export const errorReportPath = '/error-reports'

/** Characters. */
export const messageMax = 300
export const stackMax = 4000
export const pathMax = 200
export const releaseMax = 80
