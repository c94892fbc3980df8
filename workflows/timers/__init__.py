"""Due times of processes as rows: taken by any worker, fired by nobody twice."""
