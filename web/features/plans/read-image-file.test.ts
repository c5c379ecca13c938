// Limits of a plan's image: bytes, types, pixels, characters.
import { expect, test } from 'vitest'
import { findEncodedIssue, findFileIssue, findSizeIssue, fitSize, wantsCompression } from './read-image-file.ts'

const twoMb = 2 * 1024 * 1024
const tooLarge = 'File size too large. Maximum size allowed is 2MB'
const wrongType = 'Invalid file type. Only JPEG, PNG, GIF, and WebP images are allowed.'

test.each([
  ['image/jpeg', 10, undefined],
  ['image/jpg', 10, undefined],
  ['image/png', twoMb, undefined],
  ['image/gif', 10, undefined],
  ['image/webp', 10, undefined],
  ['image/png', twoMb + 1, tooLarge],
  ['image/svg+xml', 10, wrongType],
  ['text/html', 10, wrongType],
  ['', 10, wrongType],
  ['application/pdf', twoMb + 1, tooLarge],
])('a file of type %j with %d bytes has the error %j [spec 5.9, 9.4]', (type, size, issue) => {
  expect(findFileIssue({ type, size })).toBe(issue)
})

test.each([
  [1024, 1024, undefined],
  [1025, 10, 'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels'],
  [10, 1025, 'Image dimensions too large. Maximum dimensions allowed are 1024x1024 pixels'],
])('%d x %d pixels have the error %j [spec 9.6]', (width, height, issue) => {
  expect(findSizeIssue({ width, height })).toBe(issue)
})

test.each([
  [Math.floor(1.4 * 1024 * 1024), false],
  [Math.ceil(1.4 * 1024 * 1024), true],
])('%d bytes need compression: %j [spec 9.5]', (bytes, answer) => {
  expect(wantsCompression(bytes)).toBe(answer)
})

test('more than 1.5 million characters are rejected [spec 9.7]', () => {
  expect(findEncodedIssue('a'.repeat(1_500_000))).toBeUndefined()
  expect(findEncodedIssue('a'.repeat(1_500_001))).toBe('Image is still too large after compression. Please select a smaller image.')
})

test.each([
  [500, 400, 500, 400],
  [2048, 1024, 1024, 512],
  [1000, 4000, 256, 1024],
  [10_000, 1, 1024, 1],
])('%d x %d fits as %d x %d [spec 5.11]', (width, height, fitWidth, fitHeight) => {
  expect(fitSize({ width, height })).toEqual({ width: fitWidth, height: fitHeight })
})
