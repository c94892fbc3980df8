/** A list's filter for a department with all below it, as the boards count. */
import { dept } from '@/api/nouns/dept';
import type { Filter } from '@/kit/filters';

export const underDept = (label: string): Filter => ({
  kind: 'reference',
  name: 'underDeptId',
  label,
  source: { ref: `${dept.path}/select` },
});
