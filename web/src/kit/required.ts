/** What the company asks for in a form, beside what the form asks for by nature. */
import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';

export type RequiredItem = Wire<'RequiredItem'>;

/** Forms, numbered as the dictionary required_scene. */
export const [REPORT, FINISH, VERIFY, INSPECTION, MAINTENANCE, NEW_MACHINE] = [1, 2, 3, 4, 5, 6] as const;

/** Returns by field what is asked of it; nothing of a form that has no rules, and none until they are known. */
export function useRequired(scene: number | undefined): (field: string) => RequiredItem | undefined {
  const { data } = useQuery({
    queryKey: ['required', scene],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/required/requiredDetails', { scene }, signal),
    enabled: scene !== undefined,
    staleTime: 60_000,
  });
  const items = data?.[0]?.items ?? [];
  return (field) => items.find((item) => item.field === field);
}

/** How a field differs because of its rule. What is compulsory by nature says the form itself. */
export function changeBy(rule: RequiredItem | undefined): {
  hidden?: boolean;
  required?: boolean;
  max?: number;
} {
  if (!rule || rule.locked === 1) return {};
  if (rule.visible === 0) return { hidden: true };
  return { ...(rule.required === 1 && { required: true }), ...(rule.fieldType === 3 && { max: rule.max }) };
}
