"""The price forecaster: data, training, naive forecasts, its job in the queue."""
