// No cycles between folders either; tests may import from anywhere, so they are left out.
const { options } = require('./.dependency-cruiser.cjs')

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment: 'Folders in a cycle are one folder with several names.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: String.raw`${options.exclude.path}|\.test\.tsx?$|(^|/)testing/` } },
}
