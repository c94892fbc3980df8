/** A form that is a page of its own, phone first: the fields in a panel, the bar at the bottom. */
import type { ReactNode } from 'react';
import { RecordForm, type RecordFormHandle, SubmitBar } from './form';

interface FormPageProps<Values> {
  title: string;
  note?: ReactNode;
  handle: RecordFormHandle<Values>;
  submitText: string;
  onCancel?: () => void;
  /** Further buttons, before the main action. */
  extra?: ReactNode;
  children: ReactNode;
}

export function FormPage<Values extends object>(props: FormPageProps<Values>) {
  return (
    <div className="x-form-page">
      <div className="x-head">
        <h1>{props.title}</h1>
      </div>
      <div className="x-panel">
        <RecordForm handle={props.handle} note={props.note}>
          {props.children}
        </RecordForm>
      </div>
      <div className="x-sticky-bar">
        <SubmitBar
          handle={props.handle}
          submitText={props.submitText}
          onCancel={props.onCancel}
          extra={props.extra}
        />
      </div>
    </div>
  );
}
