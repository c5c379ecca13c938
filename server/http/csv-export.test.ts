// Cells of the export, as a spreadsheet would read them.
import { expect, test } from 'vitest'
import { csvLine } from './csv-export.ts'

test.each([
  ['Asha Rao', 'Asha Rao'],
  ['Rao, Asha', '"Rao, Asha"'],
  ['Asha "AR" Rao', '"Asha ""AR"" Rao"'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
  ['+91', "'+91"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['  =1', "'  =1"],
  ['a=b', 'a=b'],
  [-1, '-1'],
  [null, ''],
])('%j becomes %s', (cell, line) => {
  expect(csvLine([cell, 'end'])).toBe(`${line},end\r\n`)
})
