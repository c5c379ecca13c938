// Cells of the export, as a spreadsheet would read them.
import { expect, test } from 'vitest'
import { csvLine } from './csv-line.ts'

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
  ['x;=1', '"x;\'=1"'],
  ['x; @sum', '"x;\' @sum"'],
  ['x|=1', "x|'=1"],
  ['x\t=1', "x\t'=1"],
  ['x\n=1', '"x\n\'=1"'],
  ['\uFF1D1', "'\uFF1D1"],
  ['\uFF0B91', "'\uFF0B91"],
  ['\u200D=1', "'\u200D=1"],
  ['\u200B\uFEFF =1', "'\u200B\uFEFF =1"],
  ['\uFE66cmd', "'\uFE66cmd"],
  ['\u22121', "'\u22121"],
  ['2026-11-25', '2026-11-25'],
  ['क\u200Dष; अ', '"क\u200Dष; अ"'],
  [-1, '-1'],
  [null, ''],
])('%j becomes %s', (cell, line) => {
  expect(csvLine([cell, 'end'])).toBe(`${line},end\r\n`)
})
