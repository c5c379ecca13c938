// The test isolation itself: no page reaches the internet, and attempts are reported.
import { expect } from '@playwright/test'
import { test } from './harness/test.ts'

for (const address of ['http://tezi.example/', 'http://192.0.2.1/']) {
  test(`${address} is not reached`, async ({ open, pageErrors }) => {
    const { page } = await open('/')
    await expect(page.goto(address)).rejects.toThrow('ERR_NAME_NOT_RESOLVED')
    expect(pageErrors.splice(0)).toEqual([`blocked request to the internet: ${address}`])
  })
}
