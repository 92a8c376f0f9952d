// A program of somebody who has only the generated client: it takes a token, reads services, books and pays.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"frontdesk"
)

func main() {
	configuration := frontdesk.NewConfiguration()
	configuration.Servers = frontdesk.ServerConfigurations{{URL: os.Getenv("BASE")}}
	client := frontdesk.NewAPIClient(configuration)

	request := frontdesk.NewTokenRequest("client_credentials", os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))
	token, _, err := client.TokensAPI.CreateToken(context.Background()).
		CreateTokenRequest(frontdesk.CreateTokenRequest{TokenRequest: request}).Execute()
	check(err)
	ctx := context.WithValue(context.Background(), frontdesk.ContextAccessToken, token.AccessToken)

	items, _, err := client.ItemsAPI.ListItems(ctx).Type_(frontdesk.ITEMTYPE_SERVICE).Execute()
	check(err)
	service := items.Data[0]

	question := frontdesk.NewAvailabilityRequest(service.Id, time.Now().Format("2006-01-02"))
	question.SetNextAvailability(true)
	available, _, err := client.AvailabilityAPI.SearchAvailability(ctx).AvailabilityRequest(*question).Execute()
	check(err)
	var start string
	for day, times := range available.Data.Slots {
		if len(times) > 0 {
			start = day + "T" + times[0] + ":00"
		}
	}

	customer, _, err := client.CustomersAPI.CreateCustomer(ctx).CustomerCreate(*frontdesk.NewCustomerCreate("Sara")).Execute()
	check(err)

	const amount = 16777217.55 // more digits than 32 bits hold
	line := frontdesk.NewOrderItemCreate(service.Id, frontdesk.ORDERITEMTYPE_SERVICE, 1)
	line.SetUnitAmount(amount)
	payment := frontdesk.NewInlinePayment(amount)
	payment.SetPaymentMethodType("cash")
	order := frontdesk.NewOrderCreate(service.Branch.Id, customer.Data.Id, []frontdesk.OrderItemCreate{*line})
	order.SetStart(start)
	order.SetPayment(*payment)
	made, _, err := client.OrdersAPI.CreateOrder(ctx).OrderCreate(*order).IdempotencyKey("generated-in-go").Execute()
	check(err)
	read, _, err := client.OrdersAPI.GetOrder(ctx, made.Data.Id).Execute()
	check(err)
	fmt.Printf("%s %.2f\n", read.Data.PaymentStatus, read.Data.Total)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
