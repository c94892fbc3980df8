/** Keeps what a form holds as a draft while somebody fills it in. */
import { Form, type FormInstance } from 'antd';
import { useEffect } from 'react';
import { keepDraft } from './drafts';
import type { Values } from './schema';

export function KeepDraft({ name, form }: { name: string; form: FormInstance<Values> }) {
  const values = Form.useWatch((all: Values) => JSON.stringify(all), form);
  useEffect(() => {
    // Only what a person has changed: opening a form leaves nothing behind.
    if (values && form.isFieldsTouched()) keepDraft(name, JSON.parse(values) as Values);
  }, [name, values, form]);
  return null;
}
