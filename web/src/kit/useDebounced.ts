/** A value that follows another one once that has rested for a moment. */
import { useEffect, useState } from 'react';

export function useDebounced<T>(value: T, milliseconds = 350): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}
